// @ts-check
/* Texts in the chosen language. All text of the page comes from the catalogues. */

const PLACES = ["you", "right", "across", "left"];

/* The message of a key with its values; houjuu.util.languages describes messages. */
/** @param {string} key @param {Record<string, Shown | number>} values */
function t(key, values = {}) {
  return parts(key, values).map(textOf).join("");
}

/* The same as a list of texts and values: the values may be elements. */
const PLACEHOLDER = /\{(\w+)(?::([^{}|]*)\|([^{}|]*))?\}/;
/** @param {string} key @param {Record<string, Shown | number>} values */
function parts(key, values = {}) {
  const [before, ...rest] = game.texts[state.language][key].split(PLACEHOLDER);
  /** @type {Shown[]} */
  const shown = [before];
  for (let i = 0; i < rest.length; i += 4) {
    const [name, one, other, after] = rest.slice(i, i + 4);
    const value = written(values[name]);
    shown.push(one === undefined ? value : /^−?1$/.test(textOf(value)) ? one : other, after);
  }
  return shown;
}

/** @param {Shown} part */
const textOf = (part) => (typeof part === "string" ? part : (part.textContent ?? ""));
/** @param {Shown | number} value */
const written = (value) => (typeof value === "number" ? valueText(value) : value);

/* The name of a wait, a score, a reason or a type of opponent; unknown names stay as they are. */
/** @param {string} name */
function term(name) {
  if (!game.terms[name]) return name;
  const [key, { tiles, ...values }] = game.terms[name];
  return t(key, tiles ? { tiles: tileLabel(String(tiles)) } : values);
}

/* The glossary entry of a reason; null for all other names. */
/** @param {string} name */
function glossary(name) {
  const [key, values] = game.terms[name] ?? ["", {}];
  return key.startsWith("reason.") ? t(key.replace("reason.", "glossary."), values) : null;
}

/** @param {number} seat */
const place = (seat) => t(`seat.${PLACES[seat]}`);
/** @param {number} seat */
const windNumber = (seat) => (seat - currentRound().dealer + 4) % 4;
/** @param {number} number */
const windName = (number) => t(`wind.${number}`);
/** @param {number} seat */
const windSign = (seat) => t(`wind.short.${windNumber(seat)}`);
/** @param {number} number */
const yaku = (number) => game.yaku[number][state.language];
/** @param {{ round: number, honba: number }} round */
function roundName({ round, honba }) {
  const wind = windName(Math.floor(round / 4) % 4);
  const name = t("round.name", { wind, number: (round % 4) + 1 });
  return honba
    ? t("round.with_honba", { round: name, honba: t("round.honba", { n: honba }) })
    : name;
}
/** @param {ReviewedRound} round */
const shortRoundName = ({ round }) =>
  t(`wind.short.${Math.floor(round / 4) % 4}`) + ((round % 4) + 1);

/* Tiles in notation, such as "0p55z"; copies of an honour are named once. */
/** @param {string} tiles */
function tileLabel(tiles) {
  const names = [...tiles.matchAll(/(\d+)([mpsz])/g)].flatMap(([, ranks, suit]) => {
    if (suit === "z") return [...new Set(ranks)].map((rank) => t(`tile.${rank}z`));
    return (ranks.match(/0|[1-9]+/g) ?? []).map((rank) => {
      const name = t(`tile.${suit}`, { rank: plain(rank) });
      return rank === RED ? t("tile.red", { name }) : name;
    });
  });
  return names.reduce((before, tile) => t("tile.next", { before, tile }));
}

/* Tiles of one suit in a word, such as "45m". */
/** @param {string[]} tiles */
const notation = (tiles) => tiles.map(([rank]) => rank).join("") + (tiles[0]?.[1] ?? "");

/** @param {ActionName} action */
const actionLabel = ({ verb, tiles }) =>
  t(`page.action.${verb}`, tiles.length ? { tiles: tileLabel(notation(tiles)) } : {});

/** @param {ActionName & { discard?: string }} action */
const actionText = ({ discard, ...action }) =>
  actionLabel(action) + (discard ? ` ${actionLabel(discardOf(discard))}` : "");

/** @param {MeldTiles} meld */
function meldLabel({ kind, own, called }) {
  const tiles = [...own, ...called].sort((one, two) => plain(one).localeCompare(plain(two)));
  return actionLabel({ verb: kind, tiles });
}

/** @param {string} code @returns {code is Language} */
const isLanguage = (code) => code in game.texts;
function browserLanguage() {
  const wanted = game.language ? [game.language] : navigator.languages;
  return wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? "en";
}

/* Set the language of all texts outside of what the scripts draw. */
/** @param {Language} language */
function setLanguage(language) {
  state.language = language;
  document.documentElement.lang = game.tags[language];
  for (const node of document.querySelectorAll("[data-text]"))
    node.textContent = t(node.getAttribute("data-text") ?? "");
  for (const node of document.querySelectorAll("[data-label]"))
    node.setAttribute("aria-label", t(node.getAttribute("data-label") ?? ""));
  show(
    $("language"),
    Object.entries(game.languages).map(([code, name]) =>
      el(
        "option",
        {
          value: code,
          lang: isLanguage(code) ? game.tags[code] : null,
          selected: code === language,
        },
        name,
      ),
    ),
  );
}
