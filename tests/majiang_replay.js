/*
 *  Majiang's own referee plays games again, from what was drawn and done in them. A line on
 *  standard input is a game's script and rules; the line that answers, what it told each seat.
 */
"use strict";

const readline = require("readline");
const Majiang = require("@kobalab/majiang-core/dev");

readline.createInterface({ input: process.stdin }).on("line", line => {
    const { script, rule } = JSON.parse(line);
    const game = new Majiang.Dev.Game(script, Majiang.rule(rule));
    const told = [[], [], [], []];
    game._players.forEach((player, seat) => {
        const action = player.action.bind(player);
        player.action = (message, callback) => {
            told[seat].push(message);
            action(message, callback);
        };
    });
    game.do_sync();
    process.stdout.write(JSON.stringify(told) + "\n");
});
