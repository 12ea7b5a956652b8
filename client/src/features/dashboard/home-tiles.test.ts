import { describe, expect, it } from "vitest";
import type { Field, Table } from "../../../../shared/model/model.ts";
import { homeWallboard } from "../../../../shared/model/wallboard/home-wallboard.ts";
import type { ShownTile, TileFrame } from "../../../../shared/protocol/frame.ts";
import { type HomeTile, homeTables, withOpenHistory } from "./home-tiles.ts";

function buildTile(id: string, frame: Partial<TileFrame>): HomeTile {
  const layout = { x: 0, y: 0, w: 1, h: 1 };
  const tile: ShownTile = { id, kind: "number", title: id, layout, zone: "UTC" };
  return { tile, frame: { state: "ok", ...frame } };
}

function days(id: string, values: number[]): HomeTile {
  const points = values.map((value, day) => ({ at: `2026-11-${10 + day}T00:00:00Z`, value }));
  return buildTile(id, { series: [{ key: null, label: "", points }] });
}

describe("the tiles of the dashboard", () => {
  it("are found by table and purpose, without hidden ones", () => {
    const all = [
      buildTile("incidents-open", { value: 3 }),
      buildTile("incidents-began", {}),
      buildTile("orders-open", {}),
      buildTile("orders-mine", { state: "hidden" }),
    ];
    const board = { tiles: all.map(({ tile }) => tile) } as never;
    const tiles = Object.fromEntries(all.map(({ tile, frame }) => [tile.id, frame as TileFrame]));
    const found = homeTables({ board, tiles }, []);
    expect(found.map(({ key, parts }) => [key, Object.keys(parts)])).toEqual([
      ["incidents", ["open", "began"]],
      ["orders", ["open"]],
    ]);
  });

  it("are titled by the catalogue of the interface, in English as by the server", () => {
    const fields: Field[] = [
      { name: "opened_at", label: "Opened", type: "timestamp" },
      { name: "due_at", label: "Due", type: "timestamp" },
      { name: "done_at", label: "Done", type: "timestamp" },
      { name: "owner", label: "Owner", type: "person" },
      { name: "priority", label: "Priority", type: "select", options: [{ value: "High" }] },
      { name: "state", label: "State", type: "select", options: [{ value: "Open" }] },
    ];
    const names = fields.map(({ name }) => name);
    const labels = { name: "jobs", label: "Jobs", recordLabel: "job" };
    const workflow = { states: [{ value: "Open", open: true }], transitions: [] };
    const plain = { display: "id", columns: [], sort: [] };
    const table: Table = { ...labels, ...plain, fields, stateField: "state", workflow };
    const { tiles } = homeWallboard([{ table, visible: names }]);
    const address = "/t/jobs?filter=x";
    const shown = tiles.map((tile) => ({ ...tile, zone: "UTC", title: "", address }));
    const found = homeTables({ board: { tiles: shown } as never, tiles: {} }, [table]);
    const titles = found.flatMap(({ parts }) => Object.values(parts).map(({ tile }) => tile.title));
    expect(titles).toEqual(tiles.map(({ title }) => title));
    expect(titles).toContain("Open by priority");
  });

  it("include the number of open records at the end of each day", () => {
    const open = withOpenHistory({
      open: buildTile("t-open", { value: 10 }),
      began: days("t-began", [4, 3, 2]),
      done: days("t-done", [1, 1, 5]),
    });
    const values = open?.frame?.series?.[0]?.points.map(({ value }) => value);
    expect(values).toEqual([11, 13, 10]);
    expect(open?.tile).toMatchObject({ bucket: "day", compared: "level" });
    expect(open?.frame?.before).toBe(13);
  });

  it("have no trend if the daily numbers are unknown", () => {
    const open = buildTile("t-open", { value: 10 });
    expect(withOpenHistory({ open })).toBe(open);
  });
});
