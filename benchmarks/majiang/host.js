/*
 *  Runs majiang's players, one for each seat. A line on standard input is a seat and the messages
 *  to it, [seat, [message, …]]. The line of output, [[reply, …], seconds], has the reply to each
 *  message (null for none) and the processor time of this process.
 */
"use strict";

const readline = require("readline");
const Majiang = require("@kobalab/majiang-core");
const Player = require("@kobalab/majiang-ai");

const players = [];

function send(seat, message) {
    if (message.kaiju) {
        players[seat] = new Player();
        message.kaiju.rule = Majiang.rule(message.kaiju.rule);
    }
    let reply;
    players[seat].action(message, received => { reply = received });
    return reply ?? null;
}

readline.createInterface({ input: process.stdin }).on("line", line => {
    const [seat, messages] = JSON.parse(line);
    const replies = messages.map(message => send(seat, message));
    const { user, system } = process.cpuUsage();
    process.stdout.write(JSON.stringify([replies, (user + system) / 1e6]) + "\n");
});
