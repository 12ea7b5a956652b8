import { expect, it } from "vitest";
import { wallboardDocumentSchema } from "../../../shared/model/wallboard/wallboard.ts";
import type { Subject } from "../../../shared/policy/scope.ts";
import { TooManyGroups } from "../engine/read-tile-query.ts";
import { testModel } from "../testing/tile-environment.ts";
import { tilesWithTooManyGroups } from "./too-many-groups.ts";

const me: Subject = {
  id: "ann",
  role: { id: "r", name: "R", rights: [], grants: { "*": { read: true } } },
  attributes: {},
};
const tile = {
  kind: "breakdown",
  table: "things",
  group: "title",
  order: "key",
  measure: { op: "count" },
  layout: { x: 0, y: 0, w: 3, h: 2 },
};
const document = wallboardDocumentSchema.parse({
  name: "Floor",
  tiles: ["first", "second", "third"].map((id) => ({ ...tile, id })),
});

it("names the tiles found before a query fails, because the wallboard is published by then", async () => {
  const failures = [new TooManyGroups("too many"), new Error("column does not exist")];
  let runs = 0;
  const reads = {
    database: {},
    async run() {
      throw failures[runs++];
    },
  };
  const wallboards = { model: () => testModel, reads } as never;
  expect(await tilesWithTooManyGroups(wallboards, me, document)).toEqual(["first"]);
  expect(runs).toBe(2);
});
