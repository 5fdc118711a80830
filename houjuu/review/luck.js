// @ts-check
/* Luck and skill by round: expected against actual deal-ins, and expected against actual points. */

function luckTable() {
  const review = currentReview();
  const { rounds, game: whole, interval } = currentSummary();
  const valued = whole.expected !== null;
  /** @param {Child} name @param {RoundSummary} summary */
  const cells = (name, { deal_ins, expected_deal_ins, expected, skill, luck, balance }) => [
    name,
    expected_deal_ins.toFixed(2),
    String(deal_ins),
    ...(valued ? [expected, skill, luck, balance].map(signed) : []),
  ];
  const numbers = [
    "page.deal_ins_expected",
    "page.deal_ins_actual",
    ...(valued
      ? ["page.luck.expected", "page.luck.skill", "page.luck.luck", "page.luck.balance"]
      : []),
  ];
  const rows = rounds.flatMap((summary, round) => {
    if (!summary.discards) return [];
    const href = `#${address({ round, step: 0 })}`;
    return [cells(el("a", { href }, roundName(review.rounds[round])), summary)];
  });
  const section = listOf(
    "page.luck",
    valued ? "page.luck_note" : "page.luck_note_deal_ins",
    [["place", t("page.round_name_heading")], ...numbers.map(numberColumn)],
    [...rows, cells(t("page.game"), whole)],
    (i) => (i === rows.length ? "sum" : null),
  );
  const [low, high] = interval;
  const name = whole.deal_ins > high ? "unlucky" : whole.deal_ins < low ? "lucky" : "usual";
  section.append(el("p", {}, t(`page.luck_${name}`, { n: whole.deal_ins, low, high })));
  return section;
}
/** @param {string} key @returns {Column} */
const numberColumn = (key) => ["number", t(key)];
