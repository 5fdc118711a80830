/*
 *  Runs majiang's players, one for each seat. A line on standard input is a seat, the messages to
 *  it, and its thinking routine, [seat, [message, …], "0202"]; the routine of npm is "". The line
 *  of output, [[reply, …], seconds], has the reply to each message (null for none) and the
 *  processor time of this process.
 */
"use strict";

require("./fast_shanten");  // before majiang
const readline = require("readline");
const Majiang = require("@kobalab/majiang-core");

const players = [];

function send(seat, message, routine) {
    if (message.kaiju) {
        const path = routine ? `./legacy/player-${routine}` : "@kobalab/majiang-ai";
        players[seat] = new (require(path))();
        message.kaiju.rule = Majiang.rule(message.kaiju.rule);
    }
    let reply;
    players[seat].action(message, received => { reply = received });
    return reply ?? null;
}

readline.createInterface({ input: process.stdin }).on("line", line => {
    const [seat, messages, routine] = JSON.parse(line);
    const replies = messages.map(message => send(seat, message, routine));
    const { user, system } = process.cpuUsage();
    process.stdout.write(JSON.stringify([replies, (user + system) / 1e6]) + "\n");
});
