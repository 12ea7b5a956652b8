import { expect, it } from "vitest";
import type { Model } from "../../../shared/model/model.ts";
import { tileSchema } from "../../../shared/model/wallboard/tile.ts";
import { wallboardDocumentSchema } from "../../../shared/model/wallboard/wallboard.ts";
import { fieldOf, tableOf } from "../../model/testing/model-environment.ts";
import type { Reader } from "../reader.ts";
import { planWallboard } from "./plan-wallboard.ts";

const model: Model = {
  version: 1,
  tables: [tableOf("jobs", [fieldOf("title"), fieldOf("at", { type: "timestamp" })])],
};
const reader: Reader = {
  kind: "display",
  me: null,
  scopeOf: () => ({ filter: null, fields: ["title", "at"] }),
  showsHistory: () => true,
};
const today = { field: "at", op: "gte", value: "$today" };
const number = { kind: "number", table: "jobs", filter: today };
const layout = { x: 0, y: 0, w: 2, h: 2 };
const tiles = [
  tileSchema.parse({ id: "here", ...number, layout }),
  tileSchema.parse({ id: "there", ...number, zone: "America/Lima", layout: { ...layout, x: 2 } }),
];
const document = wallboardDocumentSchema.parse({ name: "Yard", tiles, zone: "Europe/Lisbon" });

/** On a display, of a wallboard in an installation: with the zone that each has of its own. */
const planIn = (
  display?: string | null,
  own: string | null = "Europe/Lisbon",
  installation?: string,
) =>
  planWallboard(
    {
      ...{ wallboard: "yard", version: 1, document: { ...document, zone: own } },
      ...(display !== undefined && { zone: display }),
    },
    {
      ...{ reader, textOrder: null },
      model: { ...model, ...(installation !== undefined && { zone: installation }) },
    },
  );
const zones = ({ board }: ReturnType<typeof planIn>) => [
  board.zone,
  ...board.tiles.map(({ zone }) => zone),
];

it("counts the days of a display where it hangs, but those of a tile with a zone of its own, and says so", () => {
  const own = planIn("Asia/Tokyo");
  expect(zones(own)).toEqual(["Asia/Tokyo", "Asia/Tokyo", "America/Lima"]);
  expect(own.board.statesZone).toBe(true);
  expect(JSON.stringify(own.tiles[0])).toContain("Asia/Tokyo");
  expect(own.key).not.toBe(planIn().key);
});

it("has the wallboard's days on a display without a zone, and says nothing where both are the same", () => {
  expect(zones(planIn(null))).toEqual(["Europe/Lisbon", "Europe/Lisbon", "America/Lima"]);
  for (const same of [undefined, null, "Europe/Lisbon"]) {
    expect(planIn(same)).toEqual(planIn());
    expect(planIn(same).board).not.toHaveProperty("statesZone");
  }
});

it("follows the installation where the wallboard was given no zone, and keeps one that it was given", () => {
  const [before, after] = [planIn(null, null), planIn(null, null, "Asia/Kathmandu")];
  expect(zones(before)).toEqual(["UTC", "UTC", "America/Lima"]);
  expect(zones(after)).toEqual(["Asia/Kathmandu", "Asia/Kathmandu", "America/Lima"]);
  expect(after.key).not.toBe(before.key);
  expect(after.board).not.toHaveProperty("statesZone");
  const given = planIn(null, "Europe/Lisbon", "Asia/Kathmandu");
  expect(zones(given)).toEqual(["Europe/Lisbon", "Europe/Lisbon", "America/Lima"]);
});
