/*
 *  Prints how many of some hands have another shanten or other waits with
 *  benchmarks/majiang/fast_shanten.js. The hands, [[tile, …], number of melds], come as JSON on
 *  standard input.
 */
"use strict";

const fs = require("fs");
const path = require("path");

const published = { ...require("@kobalab/majiang-core").Util };
for (const file of Object.keys(require.cache)) delete require.cache[file];
require(path.join(__dirname, "..", "benchmarks", "majiang", "fast_shanten"));
const Majiang = require("@kobalab/majiang-core");

const answers = ({ xiangting, tingpai }, hand) => JSON.stringify([xiangting(hand), tingpai(hand)]);

let different = published.xiangting === Majiang.Util.xiangting ? Infinity : 0;
for (const [tiles, melds] of JSON.parse(fs.readFileSync(0, "utf8"))) {
    const hand = new Majiang.Shoupai(tiles);
    hand._fulou = ["z111+", "z222+", "z333+"].slice(0, melds);
    for (const drawn of [null, tiles.at(-1), hand._fulou.at(-1)]) {  // the last: a call
        hand._zimo = drawn;
        different += answers(published, hand) !== answers(Majiang.Util, hand);
    }
}
console.log(different);
