/*
 *  Replays games with majiang's own referee, from their draws and actions. A line on standard
 *  input is the script and rules of a game; the line of output is its messages to each seat.
 */
"use strict";

const readline = require("readline");
const Majiang = require("@kobalab/majiang-core/dev");

readline.createInterface({ input: process.stdin }).on("line", line => {
    const { script, rule } = JSON.parse(line);
    const game = new Majiang.Dev.Game(script, Majiang.rule(rule));
    const messages = [[], [], [], []];
    game._players.forEach((player, seat) => {
        const action = player.action.bind(player);
        player.action = (message, callback) => {
            messages[seat].push(message);
            action(message, callback);
        };
    });
    game.do_sync();
    process.stdout.write(JSON.stringify(messages) + "\n");
});
