/* A bot that knows no rules, in dialect mjai: it does the first action that the arena offers, and
   discards the last tile that it may. houjuu arena m "mjai:node examples/offered.js,dialect=mjai" … */
"use strict";

let seat;
let hand = []; // names of the own tiles

function hear(message) {
  const { type, actor, pai, consumed = [] } = message;
  if (type === "start_game") seat = message.id;
  if (type === "start_kyoku") hand = [...message.tehais[seat]];
  if (actor !== seat || seat === undefined) return;
  if (type === "tsumo") hand.push(pai);
  const laid = { dahai: [pai], kakan: [pai] }[type] ?? consumed;
  for (const name of laid) hand.splice(hand.indexOf(name), 1);
}

function answer({ type, pai, possible_actions: offered = [], cannot_dahai: forbidden }) {
  if (offered.length) return offered[0];
  if (!forbidden) return { type: "none" };
  const tile = hand.filter((name) => !forbidden.includes(name)).at(-1);
  const tsumogiri = type === "tsumo" && tile === pai;
  return { type: "dahai", actor: seat, pai: tile, tsumogiri };
}

require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const message = JSON.parse(line);
    hear(message);
    process.stdout.write(`${JSON.stringify(answer(message))}\n`);
  });
