import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { MachineLag } from "../harness/machine-lag.ts";
import type { TestInstallation } from "../harness/test-installation.ts";
import { pairDisplay } from "../harness/wallboards.ts";
import { everyKind, incidents, TileInstallation, within } from "./tile-installation.ts";
import { WallboardClient } from "./wallboard-client.ts";

let tiles: TileInstallation;
let installation: TestInstallation;

beforeAll(async () => {
  tiles = await TileInstallation.open();
  installation = tiles.installation;
});
afterAll(() => tiles[Symbol.asyncDispose]());

/** The tiles' database queries, without the comparisons. */
async function queryCount(): Promise<number> {
  const [queries = 0, comparisons = 0] = await tiles.tileValues(
    "watchfloor_tile_queries_total",
    "watchfloor_tile_verified_total",
  );
  return queries - comparisons;
}

describe("T1 a wallboard", () => {
  it("shows the values of the database, of one instant, and with them how to show them", async () => {
    using screen = await WallboardClient.open(
      installation.server.url,
      installation.ownerUser.token,
    );
    const frame = await screen.show(await tiles.newWallboard(everyKind));
    const [total] = await tiles.summary("");
    const states = await tiles.summary("group=state");
    expect(frame.board?.tiles.map(({ id }) => id)).toEqual(everyKind.map(({ id }) => id));
    expect(Object.values(frame.tiles).map(({ state }) => state)).toEqual(Array(11).fill("ok"));
    expect(frame.tiles.states?.value).toBe(total?.value);
    const rows = frame.tiles.states?.rows ?? [];
    expect(Object.fromEntries(rows.map(({ key, value }) => [String(key), value]))).toEqual(
      Object.fromEntries(states.map(({ key, value }) => [String(key), value])),
    );
    const [average] = await tiles.summary("measure=avg:reassignments");
    expect(frame.tiles.moved?.value).toBe(average?.value);
    expect(frame.tiles.moved?.series?.[0]?.points).toHaveLength(7);
    const [most] = await tiles.summary("measure=max:reassignments");
    expect(frame.tiles.most?.value).toBe(most?.value);
    expect(frame.tiles.done).toMatchObject({
      target: total?.value,
      value: frame.tiles.open?.value,
    });
    const lines = frame.tiles.opened?.series ?? [];
    const points = lines.flatMap((line) => line.points.map(({ value }) => Number(value)));
    expect(points.reduce((sum, value) => sum + value, 0)).toBe(total?.value);
    const [first] = frame.tiles.next?.rows ?? [];
    expect(first).toMatchObject({
      label: first?.values?.number,
      texts: { group: first?.values?.group },
    });
    expect(frame.tiles.groups?.rows?.[0]?.alert).toMatchObject({ word: "Busy", colour: "red" });
    expect(frame.position.incidents?.seq).toBeGreaterThan(0);
  });

  it("T2 follows every change, by whatever program, and parts add up to the whole in each frame", async () => {
    using screen = await WallboardClient.open(
      installation.server.url,
      installation.ownerUser.token,
    );
    await screen.show(await tiles.newWallboard(everyKind));
    const before = Number(screen.tile("states")?.value);
    const id = await tiles.newIncident({ group: "Network" });
    await vi.waitFor(() => expect(screen.tile("states")?.value).toBe(before + 1), within);
    await installation.program.query("update incidents set reassignments = 777 where id = $1", [
      id,
    ]);
    await vi.waitFor(() => expect(screen.tile("most")?.value).toBe(777), within);
    await vi.waitFor(
      () => expect(screen.tile("latest")?.rows?.[0]?.change).toMatchObject({ kind: "update" }),
      within,
    );
    await installation.program.query("delete from incidents where id = $1", [id]);
    await vi.waitFor(() => {
      expect(screen.tile("states")?.value).toBe(before);
      expect(screen.tile("most")?.value).not.toBe(777);
    }, within);
    for (const { tiles } of screen.frames) {
      const sum = tiles.states?.rows?.reduce((all, { value }) => all + Number(value), 0);
      expect(sum).toBe(tiles.states?.value);
      expect(tiles.done?.target).toBe(tiles.states?.value);
    }
  });

  it("T4 is evaluated once for any number of subscribers, and costs no query for a returning one", async () => {
    const wallboard = await tiles.newWallboard(everyKind);
    using first = await WallboardClient.open(installation.server.url, installation.ownerUser.token);
    await first.show(wallboard);
    await vi.waitFor(async () => expect(await queryCount()).toBe(await queryCount()), within);
    const before = await queryCount();
    const others = await Promise.all(
      Array.from({ length: 20 }, () =>
        WallboardClient.open(installation.server.url, installation.ownerUser.token),
      ),
    );
    const frames = await Promise.all(others.map((one) => one.show(wallboard)));
    expect(new Set(frames.map(({ tiles }) => JSON.stringify(tiles))).size).toBe(1);
    for (const one of others) one[Symbol.dispose]();
    await vi.waitFor(async () => expect(await queryCount()).toBeLessThanOrEqual(before), within);
    expect(await tiles.tileValue("watchfloor_tile_mismatches_total")).toBe(0);
  });

  it("T5 is proven again and again, also when nothing changes", async () => {
    using screen = await WallboardClient.open(
      installation.server.url,
      installation.ownerUser.token,
    );
    await screen.show(await tiles.newWallboard(everyKind));
    await vi.waitFor(() => {
      expect(screen.proofs.length).toBeGreaterThan(2);
      const { asOf = "", now = "" } = screen.proofs.at(-1) ?? {};
      expect(Date.parse(now) - Date.parse(asOf)).toBeLessThan(2_000);
    }, within);
    const { position = {} } = screen.proofs.at(-1) ?? {};
    expect(position.incidents?.seq).toBe(
      Number(
        (
          await installation.program.query(
            "select head from watchfloor.feed where table_name = 'incidents'",
          )
        ).rows[0].head,
      ),
    );
  });

  it("T6 changes with the clock if its filter does, without any write", async () => {
    const id = await tiles.newIncident();
    const mine = { field: "id", op: "eq", value: id };
    const late = { field: "due_at", op: "lt", value: "$now" };
    const tile = { ...incidents, id: "late", kind: "number", filter: { and: [mine, late] } };
    using screen = await WallboardClient.open(
      installation.server.url,
      installation.ownerUser.token,
    );
    const frame = await screen.show(await tiles.newWallboard([tile]));
    expect(frame.tiles.late?.value).toBe(0);
    const lag = new MachineLag();
    const due = new Date(Date.now() + 1_500).toISOString();
    await installation.program.query("update incidents set due_at = $2 where id = $1", [id, due]);
    await vi.waitFor(() => expect(screen.tile("late")?.value).toBe(1), within);
    const first = screen.frames.find(({ tiles: shown }) => shown.late?.value === 1);
    const shownAt = Date.parse(first?.asOf ?? "");
    expect(shownAt - Date.parse(due)).toBeGreaterThan(0);
    expect(shownAt - Date.parse(due)).toBeLessThan(await lag.allowing(1_000));
  });

  it("T7 shows a word from a threshold on, and leaves it with hysteresis; an acknowledgement is sent to all", async () => {
    const id = await tiles.newIncident({ reassignments: 1 });
    const wallboard = await tiles.newWallboard([
      {
        ...incidents,
        id: "hot",
        kind: "number",
        filter: { field: "id", op: "eq", value: id },
        measure: { op: "sum", field: "reassignments" },
        thresholds: [{ at: 10, word: "Hot", colour: "red", hysteresis: 3, sound: true }],
      },
    ]);
    using screen = await WallboardClient.open(
      installation.server.url,
      installation.ownerUser.token,
    );
    await screen.show(wallboard);
    const set = async (value: number) => {
      await installation.program.query("update incidents set reassignments = $2 where id = $1", [
        id,
        value,
      ]);
      await vi.waitFor(() => expect(screen.tile("hot")?.value).toBe(value), within);
      return screen.tile("hot")?.alert?.word ?? null;
    };
    expect([await set(9), await set(10), await set(8), await set(6), await set(8)]).toEqual([
      null,
      "Hot",
      "Hot",
      null,
      null,
    ]);
    await set(12);
    expect(screen.tile("hot")?.alert).toMatchObject({ sound: true, acknowledged: null });
    await installation.ownerUser.call("POST", `/wallboards/${wallboard}/acknowledgements`, {
      tile: "hot",
      word: "Hot",
    });
    await vi.waitFor(
      () =>
        expect(screen.tile("hot")?.alert?.acknowledged).toMatchObject({
          by: installation.ownerUser.info.name,
        }),
      within,
    );
  });

  it("T7 an acknowledged alert stays so in another version of the wallboard, and on a display that begins later", async () => {
    const { ownerUser, server } = installation;
    const id = await tiles.newIncident({ reassignments: 12 });
    const tile = { ...incidents, id: "hot", kind: "lights", group: "number" };
    const filter = { field: "id", op: "eq", value: id };
    const thresholds = [{ at: 1, word: "Hot", colour: "red", sound: true }];
    const wallboard = await tiles.newWallboard([{ ...tile, filter, thresholds }]);
    using screen = await WallboardClient.open(server.url, ownerUser.token);
    await screen.show(wallboard);
    const light = (on: WallboardClient) => on.tile("hot")?.rows?.[0];
    const { key: row, alert } = light(screen) ?? {};
    expect(alert).toMatchObject({ word: "Hot", acknowledged: null });
    const path = `/wallboards/${wallboard}`;
    await ownerUser.call("POST", `${path}/acknowledgements`, { tile: "hot", row, word: "Hot" });
    const acknowledged = { ...alert, acknowledged: { by: ownerUser.info.name } };
    await vi.waitFor(() => expect(light(screen)?.alert).toMatchObject(acknowledged), within);
    const note = { kind: "text", text: "New", layout: { x: 6, y: 6, w: 1, h: 1 } };
    await ownerUser.call("PATCH", path, { tiles: { note }, base: { tiles: { note: null } } });
    await ownerUser.call("POST", `${path}/publish`, {});
    const hasNote = () => screen.frames.some(({ board }) => board?.tiles.length === 2);
    await vi.waitFor(() => expect(hasNote()).toBe(true), within);
    await vi.waitFor(() => expect(light(screen)?.alert).toMatchObject(acknowledged), within);
    const { token } = await pairDisplay(server.url, ownerUser, [wallboard]);
    using display = await WallboardClient.open(server.url, token, "display");
    await display.show(wallboard);
    expect(light(display)?.alert).toMatchObject(acknowledged);
  });
});

describe("T2 values updated from changes", () => {
  it("are compared with the database, and corrected if something bypassed the log", async () => {
    const before = await tiles.tileValue("watchfloor_tile_mismatches_total");
    const id = await tiles.newIncident({ reassignments: 3 });
    const filter = { field: "id", op: "eq", value: id };
    const tile = { ...incidents, id: "sum", kind: "number", filter };
    using screen = await WallboardClient.open(
      installation.server.url,
      installation.ownerUser.token,
    );
    await screen.show(
      await tiles.newWallboard([{ ...tile, measure: { op: "sum", field: "reassignments" } }]),
    );
    await vi.waitFor(
      async () =>
        expect(await tiles.tileValue("watchfloor_tile_verified_total")).toBeGreaterThan(0),
      within,
    );
    expect(await tiles.tileValue("watchfloor_tile_mismatches_total")).toBe(before);
    // Also past the check of the triggers, after which the table would be read again as a whole.
    await installation.program.query(`begin; alter table incidents disable trigger watchfloor_update;
      update incidents set reassignments = 5 where id = '${id}';
      alter table incidents enable trigger watchfloor_update;
      update watchfloor.feed set triggers = watchfloor.triggers_of('incidents'::regclass)
        where table_name = 'incidents'; commit`);
    await vi.waitFor(() => expect(screen.tile("sum")?.value).toBe(5), within);
    expect(await tiles.tileValue("watchfloor_tile_mismatches_total")).toBeGreaterThan(before);
  });
});
