/*
 *  Converts games to the messages of majiang. A line on standard input is an array of messages of
 *  mjai; the line of output has the messages of majiang, and for each action of the seat the answers
 *  for the reply that chooses it.
 */
"use strict";

const path = require("path");
const readline = require("readline");
const { Messages } = require(path.join(__dirname, "../benchmarks/majiang/messages"));

readline.createInterface({ input: process.stdin }).on("line", line => {
    const messages = new Messages(), converted = [], answers = [];
    for (const message of JSON.parse(line)) {
        const chosen = messages.convert(message);
        converted.push(...chosen);
        const [kind, content] = Object.entries(chosen[0] ?? {})[0] ?? [];
        if (message.actor !== messages.seat || ! ["dapai", "fulou", "gang"].includes(kind)) continue;
        answers.push([message, messages.answer({ [kind]: content.p ?? content.m })]);
    }
    process.stdout.write(JSON.stringify({ converted, answers }) + "\n");
});
