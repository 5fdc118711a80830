/*
 *  Prints the dangers and pushes of the versions in benchmarks/majiang/versions.js as JSON. Standard
 *  input is [version, positions, situations]: a position has the unseen copies, the genbutsu and the
 *  held kinds, 0-33, against one riichi; a situation is danger, least danger, shanten and value.
 */
"use strict";

const fs = require("fs");
const path = require("path");
const versions = require(path.join(__dirname, "..", "benchmarks", "majiang", "versions"));

const KINDS = ["m", "p", "s", "z"].flatMap(suit =>
    (suit == "z" ? [1, 2, 3, 4, 5, 6, 7] : [1, 2, 3, 4, 5, 6, 7, 8, 9]).map(rank => suit + rank));

function dangers(Danger, { unseen, genbutsu, held }) {
    const seen = new Danger({ m: 1, p: 1, s: 1 });
    const own = { m: [], p: [], s: [], z: [] };
    KINDS.forEach((kind, n) => {
        seen._paishu[kind[0]][kind[1]] = unseen[n];
        own[kind[0]][kind[1]] = held.includes(n) ? 1 : 0;
    });
    for (const n of genbutsu) seen._dapai[1][KINDS[n]] = true;
    seen._lizhi[1] = true;
    return KINDS.map(seen.suan_weixian_all(own));
}

const [name, positions, situations] = JSON.parse(fs.readFileSync(0, "utf8"));
const { Danger, prototype } = versions[name];
console.log(JSON.stringify({
    dangers: positions.map(position => dangers(Danger, position)),
    pushes: situations.map(situation => prototype.pushes(...situation)),
}));
