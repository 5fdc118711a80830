/*
 *  Messages of mjai as those of majiang, and replies of majiang as answers of mjai.
 *
 *  Majiang numbers seats in two ways: `id` is absolute, and `l` is the seat wind, 0 for the dealer.
 *  Tiles are "m1", "p0" (red) and "z7", hands "m12p05z11m2,s123-". The mark after the called tile of
 *  a meld shows its source: + the seat to the right, = across, - to the left. In a meld the red five
 *  is the last of the fives from the hand; majiang accepts no other order.
 */
"use strict";

const HONOURS = "ESWNPFC", WINDS = "ESWN", MARKS = " +=-";
const RED = { "5mr": "m0", "5pr": "p0", "5sr": "s0" };
const DRAWS = { nm: "流し満貫", yao9: "九種九牌", kyushukyuhai: "九種九牌", kaze4: "四風連打",
                reach4: "四家立直", ron3: "三家和", kan4: "四開槓" };
const YAKUMAN = 32000, DEALERS_YAKUMAN = 48000, LEAST_YAKUMAN = 13;

// In these rules Tenhou differs from the defaults of majiang.
const RULES = { "ダブル役満あり": false };

const tileText = name =>
    RED[name] ?? (name == "?" ? "" : name.length == 1 ? `z${HONOURS.indexOf(name) + 1}` : name[1] + name[0]);

const tileName = text => text[0] == "z" ? HONOURS[text[1] - 1]
                       : text[1] == "0" ? `5${text[0]}r` : text[1] + text[0];

const rankOf = digit => +digit || 5;
const digits = names => names.map(name => tileText(name)[1]);

// equal tiles, the red one last
const equal = names => digits(names).sort((x, y) => y - x).join("");

function meldText({ type, actor, target, pai, consumed }) {
    const suit = tileText(consumed[0])[0];
    if (type == "ankan") return suit + equal(consumed);
    const called = tileText(pai)[1] + MARKS[(target - actor + 4) % 4];
    if (type != "chi") return suit + equal(consumed) + called;
    return suit + [...digits(consumed), called].sort((x, y) => rankOf(x[0]) - rankOf(y[0])).join("");
}

function handText(names, { last, melds = [], riichi = false } = {}) {
    const tiles = names.map(tileText), own = last && tileText(last);
    if (last && tiles.length % 3 == 2) tiles.splice(tiles.indexOf(own), 1);
    const suits = ["m", "p", "s", "z"].map(suit => suit + tiles.filter(tile => tile[0] == suit)
        .map(tile => tile[1]).sort((x, y) => rankOf(x) - rankOf(y) || x - y).join(""));
    const concealed = suits.filter(text => text.length > 1).join("") + (own ?? "") + (riichi ? "*" : "");
    return [concealed, ...melds].join(",");
}

class Messages {

    // the messages of majiang, none or one, for a message of mjai
    convert(message) {
        const convert = this[message.type];
        return convert ? [convert.call(this, message)].filter(one => one) : [];
    }

    wind(seat) {
        return (seat - this.dealer + 4) % 4;
    }

    byWind(values) {
        return [0, 1, 2, 3].map(wind => values[(this.dealer + wind) % 4]);
    }

    start_game({ id, names }) {
        this.seat = id;
        return { kaiju: { id, rule: RULES, title: "", player: names, qijia: 0 } };
    }

    start_kyoku({ bakaze, kyoku, honba, kyotaku, oya, scores, dora_marker, tehais }) {
        this.dealer = oya;
        this.melds = [[], [], [], []];
        this.riichi = [];
        this.declares = this.afterKan = false;
        return { qipai: {
            zhuangfeng: WINDS.indexOf(bakaze), jushu: kyoku - 1, changbang: honba, lizhibang: kyotaku,
            defen: this.byWind(scores), baopai: tileText(dora_marker),
            shoupai: this.byWind(tehais.map(hand => hand[0] == "?" ? "" : handText(hand))),
        } };
    }

    tsumo({ actor, pai }) {
        const kind = this.afterKan ? "gangzimo" : "zimo";
        this.afterKan = false;
        this.offered = { actor, pai };
        return { [kind]: { l: this.wind(actor), p: tileText(pai) } };
    }

    // The message of its discard declares a riichi, and the next message implies that it is paid.
    reach({ actor }) {
        this.riichi[actor] = this.declares = true;
    }

    dahai({ actor, pai, tsumogiri }) {
        const text = tileText(pai) + (tsumogiri ? "_" : "") + (this.declares ? "*" : "");
        this.declares = false;
        this.offered = { actor, pai };
        return { dapai: { l: this.wind(actor), p: text } };
    }

    chi(message) { return this.called(message, "fulou") }
    pon(message) { return this.called(message, "fulou") }
    daiminkan(message) { return this.called(message, "fulou") }
    ankan(message) { return this.called(message, "gang") }

    called(message, kind) {
        const { type, actor, consumed } = message, text = meldText(message);
        this.melds[actor].push(text);
        this.afterKan = type.endsWith("kan");
        this.offered = { actor, pai: consumed[0] };
        return { [kind]: { l: this.wind(actor), m: text } };
    }

    kakan({ actor, pai }) {
        const melds = this.melds[actor], added = tileText(pai);
        const isPon = text => text[0] == added[0] && /^.(\d)\d\d[-+=]$/.test(text)
                              && rankOf(text[1]) == rankOf(added[1]);
        const number = melds.findIndex(isPon);
        melds[number] += added[1];
        this.afterKan = true;
        this.offered = { actor, pai };
        return { gang: { l: this.wind(actor), m: melds[number] } };
    }

    dora({ dora_marker }) {
        return { kaigang: { baopai: tileText(dora_marker) } };
    }

    hora({ actor, target, pai, hora_tehais = [], ura_markers = [], fan, fu, hora_points, deltas }) {
        const yakuman = actor == this.dealer ? DEALERS_YAKUMAN : YAKUMAN;
        const isYakuman = hora_points >= yakuman && (! fan || fan >= LEAST_YAKUMAN && ! fu);
        return { hule: {
            l: this.wind(actor), baojia: actor == target ? null : this.wind(target),
            shoupai: handText(hora_tehais, { last: pai, melds: this.melds[actor],
                                             riichi: this.riichi[actor] }),
            fubaopai: ura_markers.length ? ura_markers.map(tileText) : null,
            ...(isYakuman ? { damanguan: hora_points / yakuman } : { fu, fanshu: fan }),
            defen: hora_points, fenpei: this.byWind(deltas ?? [0, 0, 0, 0]),
        } };
    }

    ryukyoku({ reason, tehais = [[], [], [], []], deltas }) {
        const shown = (hand, seat) => hand.length && hand[0] != "?"
            ? handText(hand, { melds: this.melds[seat], riichi: this.riichi[seat] }) : "";
        return { pingju: {
            name: DRAWS[reason] ?? "荒牌平局", shoupai: this.byWind(tehais.map(shown)),
            fenpei: this.byWind(deltas ?? [0, 0, 0, 0]),
        } };
    }

    end_game({ scores }) {
        return { jieju: { defen: scores ?? [0, 0, 0, 0] } };
    }

    // the answer of mjai for a reply to the last message; a riichi is two answers
    answer(reply) {
        const [kind, text] = Object.entries(reply ?? {})[0] ?? [], actor = this.seat;
        switch (kind) {
            case "dapai":
                if (text.endsWith("*") && ! this.riichi[actor]) return { type: "reach", actor };
                return { type: "dahai", actor, pai: tileName(text), tsumogiri: text[2] == "_" };
            case "hule": {
                const { actor: target, pai } = this.offered;
                return { type: "hora", actor, target, pai };
            }
            case "daopai":  // older routines declare tenpai, which is no choice in Tenhou's rules
                return this.offered.actor == actor
                    ? { type: "ryukyoku", actor, reason: "kyushukyuhai" } : { type: "none" };
            case "gang":
            case "fulou":
                return { actor, ...meld(text, actor) };
            default:
                return { type: "none" };
        }
    }
}

function meld(text, actor) {
    const names = [...text.matchAll(/\d/g)].map(digit => tileName(text[0] + digit[0]));
    const marked = text.search(/[-+=]/);
    if (marked < 0) return { type: "ankan", consumed: names };
    const target = (actor + MARKS.indexOf(text[marked])) % 4;
    if (marked == 4 && text.length == 6) {
        return { type: "kakan", pai: names[3], consumed: names.slice(0, 3) };
    }
    const [pai] = names.splice(marked - 2, 1), ranks = names.map(name => name[0]);
    const type = names.length == 3 ? "daiminkan" : ranks[0] == ranks[1] ? "pon" : "chi";
    return { type, target, pai, consumed: names };
}

module.exports = { Messages, RULES, tileName };
