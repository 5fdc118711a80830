/* Texts in the chosen language. All text of the page comes from the catalogues. */

const placeOf = (seat) => ["you", "right", "across", "left"][seat];

/* The message of a key with its values; houjuu.util.languages describes messages. */
function t(key, values = {}) {
  return parts(key, values)
    .map((part) => part.textContent ?? part)
    .join("");
}

/* The same as a list of texts and values: the values may be elements. */
const PLACEHOLDER = /(\{\w+(?::[^{}|]*\|[^{}|]*)?\})/;
function parts(key, values = {}) {
  return game.texts[state.language][key].split(PLACEHOLDER).map((text, i) => {
    if (i % 2 === 0) return text;
    const [, name, one, other] = text.match(/\{(\w+):?([^|]*)\|?(.*)\}/);
    const value = written(values[name]);
    if (!text.includes(":")) return value;
    return (value.textContent ?? value) === "1" ? one : other;
  });
}

const written = (value) => (typeof value === "number" ? valueText(value) : value);

/* The name of a wait, a score, a reason or a type of opponent; unknown names stay as they are. */
function term(name) {
  if (!game.terms[name]) return name;
  const [key, { tiles, ...values }] = game.terms[name];
  return t(key, tiles ? { tiles: tileLabel(tiles) } : values);
}

/* The glossary entry of a reason; null for all other names. */
function glossary(name) {
  const key = game.terms[name]?.[0] ?? "";
  return key.startsWith("reason.")
    ? t(key.replace("reason.", "glossary."), game.terms[name][1])
    : null;
}

const place = (seat) => t(`seat.${placeOf(seat)}`);
const windNumber = (seat) => (seat - currentRound().dealer + 4) % 4;
const windName = (number) => t(`wind.${number}`);
const windSign = (seat) => t(`wind.short.${windNumber(seat)}`);
const yaku = (number) => game.yaku[number][state.language];
function roundName({ round, honba }) {
  const wind = windName(Math.floor(round / 4) % 4);
  const name = t("round.name", { wind, number: (round % 4) + 1 });
  return honba
    ? t("round.with_honba", { round: name, honba: t("round.honba", { n: honba }) })
    : name;
}
const shortRoundName = (round) =>
  t(`wind.short.${Math.floor(round.round / 4) % 4}`) + ((round.round % 4) + 1);

/* Tiles in notation, such as "0p55z"; copies of an honour are named once. */
function tileLabel(tiles) {
  const names = [...tiles.matchAll(/(\d+)([mpsz])/g)].flatMap(([, ranks, suit]) => {
    if (suit === "z") return [...new Set(ranks)].map((rank) => t(`tile.${rank}z`));
    return ranks.match(/0|[1-9]+/g).map((rank) => {
      const name = t(`tile.${suit}`, { rank: rank === RED ? "5" : rank });
      return rank === RED ? t("tile.red", { name }) : name;
    });
  });
  return names.reduce((before, tile) => t("tile.next", { before, tile }));
}

/* An action of a decision, such as "riichi 5p", "pon 55p" or "pass". */
function actionLabel(action) {
  const [verb, tiles] = action.split(" ");
  return t(`page.action.${verb}`, tiles && { tiles: tileLabel(tiles) });
}

function meldLabel({ kind, own, called }) {
  const tiles = [...own, ...called].sort((one, two) => plain(one).localeCompare(plain(two)));
  const notation = tiles.map(([rank]) => rank).join("") + tiles[0][1];
  return t(`page.action.${kind}`, { tiles: tileLabel(notation) });
}

function browserLanguage() {
  const wanted = game.language ? [game.language] : navigator.languages || [navigator.language];
  const known = wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find((code) => game.texts[code]);
  return known || "en";
}

/* Set the language of all texts outside of what `render` draws. */
function setLanguage(language) {
  state.language = language;
  document.documentElement.lang = game.tags[language];
  for (const node of document.querySelectorAll("[data-text]"))
    node.textContent = t(node.dataset.text);
  for (const node of document.querySelectorAll("[data-label]"))
    node.setAttribute("aria-label", t(node.dataset.label));
  show(
    $("language"),
    Object.entries(game.languages).map(([code, name]) =>
      el("option", { value: code, lang: game.tags[code], selected: code === language }, name),
    ),
  );
}
