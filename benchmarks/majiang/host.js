/*
 *  Hosts majiang's players, one a seat. A line on standard input is a seat and majiang's own
 *  messages to it, [seat, [message, …]]. The line that answers, [[reply, …], seconds], has the
 *  reply to each, or null, and what this process has taken of the processor's time.
 */
"use strict";

const readline = require("readline");
const Majiang = require("@kobalab/majiang-core");
const Player = require("@kobalab/majiang-ai");

const players = [];

function tell(seat, message) {
    if (message.kaiju) {
        players[seat] = new Player();
        message.kaiju.rule = Majiang.rule(message.kaiju.rule);
    }
    let reply;
    players[seat].action(message, given => { reply = given });
    return reply ?? null;
}

readline.createInterface({ input: process.stdin }).on("line", line => {
    const [seat, messages] = JSON.parse(line);
    const replies = messages.map(message => tell(seat, message));
    const { user, system } = process.cpuUsage();
    process.stdout.write(JSON.stringify([replies, (user + system) / 1e6]) + "\n");
});
