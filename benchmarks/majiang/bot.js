/*
 *  Majiang's player as a bot of mjai: a line on standard input is a message or an array of them, and
 *  has one answer. The argument is a thinking routine, such as "0202"; without it, that of npm plays.
 */
"use strict";

require("./fast_shanten");  // before majiang
const readline = require("readline");
const Majiang = require("@kobalab/majiang-core");
const { Messages } = require("./messages");

const routine = process.argv[2];
const Player = require(routine ? `./legacy/player-${routine}` : "@kobalab/majiang-ai");
let player, messages, reply;

// keep the reply to a message; no message follows a riichi, whose reply has its discard, too
function hear(message) {
    if (message.type == "start_game") {
        player = new Player();
        messages = new Messages();
    }
    if (message.type != "reach" || message.actor != messages.seat) reply = null;
    for (const converted of messages.convert(message)) {
        if (converted.kaiju) converted.kaiju.rule = Majiang.rule(converted.kaiju.rule);
        player.action(converted, received => { reply = received ?? null });
    }
}

readline.createInterface({ input: process.stdin }).on("line", line => {
    [JSON.parse(line)].flat().forEach(hear);
    process.stdout.write(JSON.stringify(messages.answer(reply)) + "\n");
});
