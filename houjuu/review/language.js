/* Texts in the chosen language. All text of the page comes from the catalogues. */

const placeOf = (seat) => ["self", "right", "across", "left"][seat];

/* The message of a key; the second of two forms is for every n but 1. */
function t(key, values = {}) {
  return parts(key, values).join("");
}

/* The same as a list of texts and values: the values may be elements. */
function parts(key, values = {}) {
  const [one, other] = game.texts[state.language][key].split("|");
  const message = other === undefined || values.n === 1 ? one : other;
  return message.split(/\{(\w+)\}/).map((text, i) => (i % 2 ? values[text] : text));
}

/* The name of a wait, a score, a reason or a type of opponent; unknown names stay as they are. */
function term(name) {
  const message = game.terms[name];
  return message ? t(...message) : name;
}

/* The glossary entry of a reason; null for all other names. */
function glossary(name) {
  const key = game.terms[name]?.[0] ?? "";
  return key.startsWith("reason.") ? t(key.replace("reason.", "glossary."), game.terms[name][1]) : null;
}

const place = (seat) => t(`page.${placeOf(seat)}`);
const windNumber = (seat) => (seat - currentRound().dealer + 4) % 4;
const windName = (number) => t(`wind.${number}`);
const windSign = (seat) => t(`wind.short.${windNumber(seat)}`);
const yaku = (number) => game.yaku[number][state.language];
const honbaOf = (round) => (round.honba ? t("page.honba_behind", { n: round.honba }) : "");
const roundName = (round) =>
  t("page.round_name", {
    wind: windName(Math.floor(round.round / 4) % 4),
    number: (round.round % 4) + 1,
  }) + honbaOf(round);
const shortRoundName = (round) =>
  t(`wind.short.${Math.floor(round.round / 4) % 4}`) + ((round.round % 4) + 1);

function tileLabel(tile) {
  const [rank, suit] = tile;
  if (suit === "z") return t(`tile.${rank}z`);
  const name = t(`tile.${suit}`, { rank: rank === RED ? 5 : rank });
  return rank === RED ? t("tile.red", { name }) : name;
}

/* An action of a decision, such as "riichi 5p", "pon 55p" or "pass". */
function actionLabel(action) {
  const [verb, tiles] = action.split(" ");
  return t(`page.action.${verb}`, { tiles: tiles ? ` ${tiles}` : "" });
}

const meldLabel = (meld) =>
  t("page.meld", {
    kind: t(`page.action.${meld.kind}`, { tiles: "" }),
    tiles: [...meld.own, ...meld.called].map(tileLabel).join(t("page.comma")),
  });

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
