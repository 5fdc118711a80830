/*
 *  The four players of 小林聡, 牌の危険度計算アルゴリズム(3): "before" (改善前), "improved-1",
 *  "improved-2" and "relative" (改善(3)). They are the player of npm with the scale of danger and the
 *  limits of the article; it calls against a riichi from 1,200 on, and always declares riichi.
 */
"use strict";

const fs = require("fs");
const Module = require("module");
const SuanPai = require("@kobalab/majiang-ai/lib/suanpai");

const EDITS = [
    [/if \(weixian && weixian\(p\) > min\) \{[^]*?\n {12}\}/,
     "if (weixian && weixian(p) > min && ! this.pushes(weixian(p), min, n_xiangting, ev)) continue;"],
    ["if (x == 0 && ev <  500) continue;", "if (ev < 1200) continue;"],
    [" && max >= 200", ""],
];

function edited() {
    const file = require.resolve("@kobalab/majiang-ai/lib/player");
    let source = fs.readFileSync(file, "utf8");
    for (const [old, ours] of EDITS) {
        if (source.split(old).length != 2) throw new Error(`majiang-ai has another player: ${old}`);
        source = source.replace(old, ours);
    }
    const loaded = new Module(file, module);
    loaded.filename = file;
    loaded.paths = Module._nodeModulePaths(__dirname);
    loaded._compile(source, file);
    return loaded.exports;
}

const Player = edited();

// Tile kinds are texts such as "m5", and seats are winds.
class Danger extends SuanPai {

    // The highest danger of a tile against the seats in riichi; undefined without one.
    suan_weixian_all(held) {
        const riichis = [0, 1, 2, 3].filter(seat => this._lizhi[seat]);
        if (! riichis.length) return;
        const dangers = riichis.map(seat => this.against(seat, held));
        return tile => Math.max(...dangers.map(danger => danger(tile[0] + (+tile[1] || 5))));
    }

    against(seat) {
        return kind => this.points(kind, seat);
    }
}

class Suji extends Danger {
    points(kind, seat) {
        const [suit, rank] = [kind[0], +kind[1]], discarded = this._dapai[seat];
        if (discarded[kind]) return 0;
        if (suit == "z") return Math.min(this._paishu.z[rank], 3);
        const dead = [rank - 3, rank + 3].filter(other => discarded[suit + other]).length;
        return rank < 4 ? [[6, 3], [8, 4], [8, 5]][rank - 1][dead]
             : rank > 6 ? [[6, 3], [8, 4], [8, 5]][9 - rank][dead]
             :            [12, 8, 4][dead];
    }
}

class AsHeld extends Danger {
    points(kind, seat) {
        return this.suan_weixian(kind, seat, 1);
    }
}

class Walls extends AsHeld {
    points(kind, seat) {
        const points = super.points(kind, seat);
        return kind[0] == "z" ? Math.min(points, 3) : points;
    }
}

class Relative extends Danger {
    against(seat, held) {
        const points = {};
        for (const suit of ["m", "p", "s", "z"])
            for (let rank = 1; rank < this._paishu[suit].length; rank++)
                points[suit + rank] = this.suan_weixian(suit + rank, seat, held[suit][rank]);
        const sum = Object.values(points).reduce((x, y) => x + y) || 1;
        return kind => points[kind] / sum * 100;
    }
}

// the hands of the article's table, by their value (評価値)
const isPoor = (shanten, value) => shanten > 2 || shanten > 0 && value < 400;
const isGood = (shanten, value) => shanten > 0 && value < 1200;

// the rule before relative danger: below "safe" a tile is safe
const below = safe => (danger, least, shanten, value) =>
    least >= safe || ! isPoor(shanten, value) && (danger < safe || ! isGood(shanten, value));

// the article's last table
function limits(danger, least, shanten, value) {
    if (danger >= 12) return false;
    if (isPoor(shanten, value)) return danger < 8 && least >= 3;
    return ! isGood(shanten, value) || danger < 8 && (least >= 3 || danger < 3);
}

function version(Scale, pushes) {
    return class extends Player {
        static Danger = Scale;

        qipai(qipai) {
            super.qipai(qipai);
            this._suanpai = new Scale(this._rule["赤牌"]);
            this._suanpai.qipai(qipai, this._menfeng);
        }

        // may this danger be discarded? "least" is the danger of the safest tile
        pushes(danger, least, shanten, value) {
            return pushes(danger, least, shanten, value);
        }
    };
}

module.exports = {
    "before": version(Suji, below(6)),
    "improved-1": version(Walls, below(10)),
    "improved-2": version(AsHeld, below(10)),
    "relative": version(Relative, limits),
};
