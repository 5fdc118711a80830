/*
 *  Loads majiang's shanten function with another search: the splits of a suit, with and without a
 *  pair set aside, are computed once by its own function. A hand combines those of its four suits,
 *  and its waits renew one suit at a time. The answers are those of the functions on npm.
 */
"use strict";

const fs = require("fs");
const Module = require("module");
const path = require("path");

const SEARCH = `
// A split is a number, 256 sets + 16 two-tile parts + single tiles; those of suits add up.
const FAR = 13, SPLITS = 9 * 256, SUITS = ["m", "p", "s", "z"];
const [WITHOUT, BESIDE] = [false, true].map(pair => Int8Array.from({ length: SPLITS }, (_, split) =>
    _xiangting(split >> 8, split >> 4 & 15, split & 15, pair)));

function splits(counts) {
    const { a, b } = counts.length > 9 ? mianzi(counts) : honours(counts);
    return [a, b].map(([sets, twos, singles]) => 256 * sets + 16 * twos + singles);
}

function honours(counts) {
    const n = [0, 0, 0];
    for (const count of counts.slice(1)) if (count) n[Math.max(0, 3 - count)]++;
    return { a: n, b: n };
}

// the splits of a whole suit, and those beside a pair, each once
function splitSuit(counts) {
    const beside = [];
    for (let n = 1; n < counts.length; n++) {
        if (counts[n] < 2) continue;
        counts[n] -= 2;
        beside.push(...splits(counts));
        counts[n] += 2;
    }
    return { whole: [...new Set(splits(counts))], beside: [...new Set(beside)] };
}

const known = new Map();

function suit(counts) {
    let key = counts.length;  // other for the honours
    for (let n = 1; n < counts.length; n++) key = 5 * key + counts[n];
    let found = known.get(key);
    if (!found) known.set(key, found = splitSuit(counts));
    return found;
}

function sums(x, y) {
    const all = [];
    for (const one of x) for (const other of y) all.push(one + other);
    return all;
}

function join(x, y) {
    return { whole: sums(x.whole, y.whole),
             beside: [...sums(x.beside, y.whole), ...sums(x.whole, y.beside)] };
}

function smallest(x, y, shantens) {
    let least = FAR;
    for (const one of x)
        for (const other of y) {
            const shanten = shantens[one + other];
            if (shanten < least) least = shanten;
        }
    return least;
}

function shantenOf(x, y, hand) {
    const least = Math.min(smallest(x.whole, y.whole, WITHOUT),
                           smallest(x.beside, y.whole, BESIDE), smallest(x.whole, y.beside, BESIDE));
    return least == -1 && hand._zimo && hand._zimo.length > 2 ? 0 : least;
}

const melds = hand => ({ whole: [256 * hand._fulou.length], beside: [] });

function xiangting_yiban(hand) {
    const { m, p, s, z } = hand._bingpai;
    return shantenOf(join(suit(m), suit(p)), join(join(suit(s), suit(z)), melds(hand)), hand);
}

function tingpai(hand, shanten = xiangting) {
    if (shanten !== xiangting || hand._zimo) return published_tingpai(hand, shanten);
    const now = xiangting(hand), waits = [];
    for (const letter of SUITS) {
        const others = SUITS.filter(other => other != letter);
        const rest = others.map(other => suit(hand._bingpai[other])).reduce(join, melds(hand));
        const counts = hand._bingpai[letter];
        for (let n = 1; n < counts.length; n++) {
            if (counts[n] >= 4) continue;
            counts[n]++;
            if (Math.min(shantenOf(rest, suit(counts), hand), xiangting_guoshi(hand),
                         xiangting_qidui(hand)) < now) waits.push(letter + n);
            counts[n]--;
        }
    }
    return waits;
}
`;

const file = path.join(path.dirname(require.resolve("@kobalab/majiang-core")), "xiangting.js");
const source = fs.readFileSync(file, "utf8")
    .replace("function xiangting_yiban(", "function published_yiban(")
    .replace("function tingpai(", "function published_tingpai(");
const loaded = new Module(file, module);
loaded.filename = file;
loaded._compile(source + SEARCH, file);
require.cache[file] = loaded;
