/*
 *  Loads majiang's shanten function with a memory: the shanten of the same tiles, and the splits of
 *  the same suit, are computed once. The answers are those of the function as it is on npm.
 */
"use strict";

const fs = require("fs");
const Module = require("module");
const path = require("path");

const MEMORY = `
const MOST = 500000;  // hands that are remembered at a time
const splits = new Map();
const hands = new Map();
let remembered = 0;

function key(counts) {
    let number = 0;
    for (let n = 1; n < counts.length; n++) number = 5 * number + counts[n];
    return number;
}

function rememberedSplits(counts) {
    const suit = key(counts);
    if (!splits.has(suit)) splits.set(suit, mianzi(counts));
    return splits.get(suit);
}

function xiangting_yiban(hand) {
    const { m, p, s, z } = hand._bingpai;
    const called = hand._zimo && hand._zimo.length > 2 ? 1 : 0;
    const half = 2 ** 21 * key(m) + key(p);
    const rest = (5 ** 7 * key(s) + key(z)) * 10 + 2 * hand._fulou.length + called;
    let others = hands.get(half);
    if (!others) hands.set(half, others = new Map());
    let shanten = others.get(rest);
    if (shanten === undefined) {
        if (++remembered > MOST) { hands.clear(); remembered = 0 }
        others.set(rest, shanten = published_yiban(hand));
    }
    return shanten;
}
`;

const file = path.join(path.dirname(require.resolve("@kobalab/majiang-core")), "xiangting.js");
const source = fs.readFileSync(file, "utf8")
    .replaceAll(": mianzi(", ": rememberedSplits(")
    .replace("function xiangting_yiban(", "function published_yiban(");
const loaded = new Module(file, module);
loaded.filename = file;
loaded._compile(source + MEMORY, file);
require.cache[file] = loaded;
