/*
 *  Runs majiang's players, one for each seat. A line on standard input is a seat, the messages to
 *  it, and its thinking routine, [seat, [message, …], "0202"]; the routine of npm is "". The line
 *  of output, [reply, …], has the reply to each message, null for none.
 *
 *  Line-ups that play the same deal have many turns in common. A player only computes a reply to a
 *  round so far that none has met; to others the reply is the same.
 */
"use strict";

require("./fast_shanten");  // before majiang
const readline = require("readline");
const Majiang = require("@kobalab/majiang-core");
const versions = require("./versions");

const KEPT = 300_000;  // replies
const RIICHI = 1_000;  // points

const players = [];  // by seat: { player, routine, node }

// A node is a round as a seat has seen it so far: its reply, and the nodes of the next messages.
let rounds = new Map(), kept = 0;

function playerClass(routine) {
    if (! routine) return require("@kobalab/majiang-ai");
    return versions[routine] ?? require(`./legacy/player-${routine}`);
}

function send(seat, message, routine) {
    if (message.kaiju) {
        players[seat] = { player: new (playerClass(routine))(), routine, node: null };
        message.kaiju.rule = Majiang.rule(message.kaiju.rule);
    }
    const seated = players[seat];
    const node = seated.node = follow(seated, message);
    if (node?.reply !== undefined) {
        seated.player.action(message);  // without a callback it only keeps its state
        return node.reply;
    }
    let reply = null;
    seated.player.action(message, received => { reply = received ?? null });
    if (node) node.reply = reply;
    return reply;
}

// the node after a message; null outside of rounds
function follow({ node, routine }, message) {
    let nodes, text;
    if (message.qipai) {
        if (kept > KEPT) [rounds, kept] = [new Map(), 0];
        [nodes, text] = [rounds, start(routine, message.qipai)];
    } else {
        if (! node || message.hule || message.pingju || message.jieju) return null;
        nodes = node.next ??= new Map();
        text = JSON.stringify(message);
        if (message.dapai?.p.endsWith("*")) text += routine;  // from here on the versions differ
    }
    if (! nodes.has(text)) nodes.set(text, { reply: undefined, next: null }) && kept++;
    return nodes.get(text);
}

// Of the scores a player only asks whether a riichi can be paid; the honba and sticks do not count.
function start(routine, { zhuangfeng, baopai, shoupai, defen }) {
    const canPay = defen[shoupai.findIndex(hand => hand)] >= RIICHI;
    return JSON.stringify([versions[routine] ? "versions" : routine, zhuangfeng, baopai, shoupai, canPay]);
}

readline.createInterface({ input: process.stdin }).on("line", line => {
    const [seat, messages, routine] = JSON.parse(line);
    const replies = messages.map(message => send(seat, message, routine));
    process.stdout.write(JSON.stringify(replies) + "\n");
});
