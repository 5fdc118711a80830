/* Luck and skill by round: expected against actual deal-ins, and expected against actual points. */

const CONFIDENCE = 0.95;

function luckTable() {
  const review = currentReview();
  const rows = review.rounds
    .map((round, i) => [i, luckOf([round])])
    .filter(([, luck]) => luck.risks.length);
  const whole = luckOf(review.rounds);
  const valued = whole.expected !== null;
  const cells = (name, luck) => [
    name,
    luck.expectedDealIns.toFixed(2),
    String(luck.dealIns),
    ...(valued ? [luck.expected, luck.skill, luck.luck, luck.balance].map(signed) : []),
  ];
  const numbers = [
    "page.deal_ins_expected",
    "page.deal_ins_actual",
    ...(valued
      ? ["page.luck.expected", "page.luck.skill", "page.luck.luck", "page.luck.balance"]
      : []),
  ];
  const [low, high] = dealInInterval(whole.risks);
  const section = listOf(
    "page.luck",
    valued ? "page.luck_note" : "page.luck_note_deal_ins",
    [["place", t("page.round_name_heading")], ...numbers.map((key) => ["number", t(key)])],
    [
      ...rows.map(([i, luck]) =>
        cells(el("a", { href: `#${address(i, 0)}` }, roundName(review.rounds[i])), luck),
      ),
      cells(t("page.game"), whole),
    ],
    (i) => i === rows.length && "sum",
  );
  const name = whole.dealIns > high ? "unlucky" : whole.dealIns < low ? "lucky" : "usual";
  section.append(el("p", {}, t(`page.luck_${name}`, { n: whole.dealIns, low, high })));
  return section;
}

/* The sums over rounds, in whole points that add up; the points are null without values or a known end. */
function luckOf(rounds) {
  const discards = rounds.flatMap((round) => round.decisions.filter(isDiscard));
  const risks = discards.map((decision) => discardRisk(decision).any);
  const valued = rounds.filter((round) => round.luck.expected !== null && round.balance !== null);
  const sum = (number) => total(valued.map(number));
  const expected = sum(({ luck }) => luck.expected);
  const skill = sum(({ luck }) => Math.round(game.usual.lost * luck.choices - luck.lost));
  const balance = sum((round) => round.balance);
  return {
    risks,
    dealIns: discards.filter((decision) => decision.rons.length).length,
    expectedDealIns: total(risks),
    ...(valued.length
      ? { expected, skill, balance, luck: balance - expected - skill }
      : { expected: null, skill: null, balance: null, luck: null }),
  };
}

/* The central 95% interval of the number of deal-ins, if the discards are independent. */
function dealInInterval(risks) {
  const odds = risks.reduce(
    (before, p) => [...before, 0].map((here, n) => here * (1 - p) + (n ? before[n - 1] * p : 0)),
    [1],
  );
  const tail = (1 - CONFIDENCE) / 2;
  const quantile = (share) => {
    let sum = 0;
    return odds.findIndex((p) => (sum += p) >= share);
  };
  return [quantile(tail), quantile(1 - tail)];
}
