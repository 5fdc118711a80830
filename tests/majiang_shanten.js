/*
 *  Prints how many of some hands have another shanten with benchmarks/majiang/fast_shanten.js. The
 *  hands, [[tile, …], number of melds], come as JSON on standard input.
 */
"use strict";

const fs = require("fs");
const path = require("path");

const published = { ...require("@kobalab/majiang-core").Util };
for (const file of Object.keys(require.cache)) delete require.cache[file];
require(path.join(__dirname, "..", "benchmarks", "majiang", "fast_shanten"));
const Majiang = require("@kobalab/majiang-core");

let different = published.xiangting === Majiang.Util.xiangting ? Infinity : 0;
for (const [tiles, melds] of JSON.parse(fs.readFileSync(0, "utf8"))) {
    const hand = new Majiang.Shoupai(tiles);
    hand._fulou = ["z111+", "z222+", "z333+"].slice(0, melds);
    for (let time = 0; time < 2; time++)  // the second answer is remembered
        different += published.xiangting(hand) !== Majiang.Util.xiangting(hand);
}
console.log(different);
