// @ts-check
/* The course of the game: the expected score at each decision with the mistakes on it, by class. */

const COURSE = { left: 44, right: 10, top: 20, bottom: 8, height: 180 };
const LEAST_WIDTH = 300; // unit: pixels
const LARGEST_MARK = 9; // the radius of the mark of the largest loss
const ROOM_FOR_NAME = 26;

function courseSection() {
  const { course } = currentSummary();
  if (!course.length) return null;
  return el(
    "section",
    { class: "panel list course", "aria-label": t("page.course") },
    el("h2", {}, t("page.course")),
    el("p", {}, t("page.course_note")),
    courseChart(course),
  );
}

/** @param {number[]} course */
function courseChart(course) {
  const width = Math.max(LEAST_WIDTH, $("lists").clientWidth - 26);
  const { left, right, top, bottom, height } = COURSE;
  const [low, high] = [Math.min(...course), Math.max(...course)];
  const step = tickStep(high - low);
  const [least, most] = [Math.floor(low / step) * step, Math.ceil((high + 1) / step) * step];
  /** @param {number} i */
  const x = (i) => left + ((i + 0.5) * (width - left - right)) / course.length;
  /** @param {number} value */
  const y = (value) =>
    height - bottom - ((value - least) * (height - top - bottom)) / (most - least);
  const ticks = Array.from({ length: (most - least) / step + 1 }, (_, i) => least + i * step);
  const label = t("page.course_plot", {
    n: course.length,
    first: course[0],
    last: course[course.length - 1],
    mistakes: mistakes().length,
  });
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    ticks.map((tick) => [
      svg("line", { class: "grid", x1: left, x2: width - right, y1: y(tick), y2: y(tick) }),
      svg(
        "text",
        { class: "tick", x: left - 4, y: y(tick) + 3.5, "text-anchor": "end" },
        thousands(tick),
      ),
    ]),
    roundNames(x, height),
    svg("polyline", { points: course.map((value, i) => `${x(i)},${y(value)}`).join(" ") }),
    marks((i) => [x(i), y(course[i])]),
  );
}

/* A step of 1, 2 or 5 thousand or ten thousand points, for at most six lines. */
/** @param {number} range */
const tickStep = (range) =>
  [1000, 2000, 5000, 10000, 20000].find((step) => range / step <= 5) ?? 50000;

/* A line where a round begins, and its name where there is room. */
/** @param {(i: number) => number} x @param {number} height */
function roundNames(x, height) {
  const { choices, rounds } = currentReview();
  let end = -Infinity;
  return choices.flatMap(({ round }, i) => {
    if (i > 0 && choices[i - 1].round === round) return [];
    const at = x(i - 0.5);
    const isRoom = at >= end;
    if (isRoom) end = at + ROOM_FOR_NAME;
    return [
      svg("line", { class: "grid", x1: at, x2: at, y1: 4, y2: height - COURSE.bottom }),
      isRoom && svg("text", { class: "tick", x: at + 3, y: 13 }, shortRoundName(rounds[round])),
    ];
  });
}

/* The mistakes, the largest first, so that the others are above it. */
/** @param {(i: number) => number[]} at */
function marks(at) {
  const review = currentReview();
  const shown = mistakes().sort(by((choice) => choice.value_lost));
  const largest = shown[0]?.value_lost ?? 1;
  return shown.map((choice) => {
    const i = review.choices.indexOf(choice);
    const [cx, cy] = at(i);
    const sentence = choice.why?.[state.language] ?? "";
    return svg(
      "circle",
      {
        class: "mark",
        cx,
        cy,
        r: 2 + (LARGEST_MARK - 2) * Math.sqrt(choice.value_lost / largest),
        onclick: () => {
          go(choice);
          reveal();
        },
      },
      svg("title", {}, `${turnName(choice)}${t("page.semicolon")}${sentence}`),
    );
  });
}

function classTable() {
  const { classes } = currentSummary();
  if (!classes.length) return null;
  const isMeasured = state.limit === game.limit; // the usual figures are those of one limit
  const rows = classes.map(({ name, usual, interval, usual_lost }) => {
    const named = mistakes().filter(({ mistake }) => mistake === name);
    return [
      t(`page.class.${name}`),
      String(named.length),
      isMeasured && usual !== null && interval !== null
        ? `${usual.toFixed(1)} (${interval.join("–")})`
        : "",
      points(total(named.map((choice) => choice.value_lost))),
      isMeasured && usual_lost !== null && points(usual_lost),
    ];
  });
  return listOf(
    "page.classes",
    "page.classes_note",
    [
      ["kind", t("page.class")],
      numberColumn("page.count"),
      numberColumn("page.usual_count"),
      numberColumn("page.lost"),
      numberColumn("page.usual_lost"),
    ],
    rows,
  );
}
