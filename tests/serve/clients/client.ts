// A client with the types that openapi-typescript generates. Each @ts-expect-error is a mistake that
// the types must find: tsc reports an expected error that is missing.
import type { components, paths } from "./api";

type Path = "/v1/risk" | "/v1/meta";
type Body<P extends Path> = paths[P]["post"]["requestBody"]["content"]["application/json"];
type Answer<P extends Path> = paths[P]["post"]["responses"][200]["content"]["application/json"];
type Refusal = components["schemas"]["Refusal"];

async function post<P extends Path>(path: P, body: Body<P>): Promise<Answer<P>> {
  const response = await fetch(`http://127.0.0.1:8000${path}`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(((await response.json()) as Refusal).error);
  return (await response.json()) as Answer<P>;
}

const position = { hand: "123m067p1199s555z", dora: "3p", rivers: { right: "1z 9p" } };
const risk = await post("/v1/risk", position);
const tenpai: number[] = risk.opponents.map((opponent) => opponent.tenpai);
const points: number | undefined = risk.tiles["0p"]?.points_by_opponent[0];
const east: number | undefined = risk.unseen?.["1z"]?.wall;
// @ts-expect-error only an answer that was asked for them has the unseen tiles
risk.unseen["1z"];
// @ts-expect-error the risk in a position has no seat
risk.seat;
// @ts-expect-error there is no such key
risk.tiles["0p"]?.by_seat;
// @ts-expect-error dora is missing
await post("/v1/risk", { hand: "123m067p1199s555z" });
// @ts-expect-error messages have an address of their own
await post("/v1/risk", [{ type: "none" }]);

const meta = await post("/v1/meta", [{ type: "tsumo", actor: 0, pai: "9m" }]);
const seat: number | null = meta.seat;
if (meta.in_step) {
  const right: "right" | "across" | "left" | undefined = meta.opponents[0]?.name;
  // @ts-expect-error in step there is no problem
  meta.problem;
  console.log(right, meta.tiles["5mr"]?.deal_in);
} else {
  // @ts-expect-error out of step there are no risks
  meta.tiles;
  console.warn(meta.problem);
}
console.log(tenpai, points, east, seat);
