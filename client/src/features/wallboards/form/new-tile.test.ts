import { describe, expect, it } from "vitest";
import type { Field, Table } from "../../../../../shared/model/model.ts";
import { checkTile } from "../../../../../shared/model/wallboard/check-tile.ts";
import {
  type DataTile,
  type TileKind,
  tileKinds,
  tileSchema,
} from "../../../../../shared/model/wallboard/tile.ts";
import { convertKind, convertTable, newTile, possibleKinds, type Source } from "./new-tile.ts";

const tickets: Table = {
  name: "tickets",
  label: "Tickets",
  recordLabel: "ticket",
  display: "title",
  stateField: "state",
  columns: ["title", "state"],
  sort: [],
  fields: [
    { name: "title", label: "Title", type: "text" },
    {
      name: "state",
      label: "State",
      type: "select",
      options: [{ value: "New", open: true }, { value: "Done" }],
    },
    { name: "opened_at", label: "Opened", type: "timestamp" },
  ],
};
const notes: Table = {
  name: "notes",
  label: "Notes",
  recordLabel: "note",
  display: "body",
  columns: ["body"],
  sort: [],
  fields: [{ name: "body", label: "Body", type: "longText" }],
};
const sourceOf = (table: Table): Source => ({ table, fields: table.fields });
const model = { version: 1, tables: [notes, tickets] };
const sources = [sourceOf(notes), sourceOf(tickets)];
const layout = { x: 0, y: 0, w: 2, h: 2 };

/** What the server would say; none where it takes the tile. */
function problemsOf(tile: unknown): unknown[] {
  const parsed = tileSchema.safeParse(JSON.parse(JSON.stringify(tile)));
  return parsed.success ? checkTile(parsed.data, model) : [parsed.error.issues];
}

describe("a new tile", () => {
  it.each(tileKinds)("of the kind %s is sound from the start", (kind) => {
    expect(problemsOf(newTile(kind, "t1", layout, sources))).toEqual([]);
  });

  it("is offered only where a table has the fields for it", () => {
    expect(possibleKinds([sourceOf(notes)])).not.toContain("trend");
    expect(possibleKinds([sourceOf(notes)])).not.toContain("lights");
    expect(possibleKinds([])).toEqual(["clock", "text"]);
    expect(newTile("trend", "t1", layout, [sourceOf(notes)])).toBeNull();
  });
});

it("a new tile groups by the field that usually has the fewest values, not by a link to many records", () => {
  const types = ["text", "link", "person", "boolean"] as const;
  const fields = types.map((type): Field => ({ name: type, label: type, type }));
  for (const kind of ["breakdown", "lights"] as const) {
    const made = (some: readonly Field[]) =>
      newTile(kind, "t1", layout, [{ table: { ...notes, fields: [...some] }, fields: some }]);
    expect(made(fields)).toMatchObject({ group: "boolean" });
    expect(made(fields.slice(0, 2))).toMatchObject({ group: "link" });
  }
});

describe("a tile that becomes another", () => {
  const pairs = tileKinds.flatMap((from) =>
    tileKinds.map((to): [TileKind, TileKind] => [from, to]),
  );
  it.each(pairs)("from %s to %s is sound", (from, to) => {
    const tile = newTile(from, "t1", layout, sources);
    const other = tile && convertKind(tile, to, sources);
    expect(other?.kind).toBe(to);
    expect(problemsOf(other)).toEqual([]);
  });

  it("keeps its title, filter and alerts with another kind", () => {
    const tile = {
      ...newTile("number", "t1", layout, sources),
      title: "Mine",
      filter: { field: "title", op: "eq", value: "x" },
      thresholds: [{ at: 1, word: "Late", colour: "red" }],
    } as DataTile;
    const { title, filter, thresholds } = tile;
    expect(convertKind(tile, "lights", sources)).toMatchObject({ title, filter, thresholds });
  });

  it("drops everything that uses fields of another table", () => {
    const tile = newTile("queue", "t1", layout, sources) as DataTile;
    const other = convertTable(tile, sourceOf(notes));
    expect(other).toMatchObject({ table: "notes", fields: ["body"] });
    expect(problemsOf(other)).toEqual([]);
    expect(
      convertTable({ ...tile, kind: "lights", group: "state" } as DataTile, sourceOf(notes)),
    ).toBeNull();
  });
});
