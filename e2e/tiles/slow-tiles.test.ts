import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { TestInstallation } from "../harness/test-installation.ts";
import { count, incidents, TileInstallation, within } from "./tile-installation.ts";
import { WallboardClient } from "./wallboard-client.ts";

let tiles: TileInstallation;
let installation: TestInstallation;

beforeAll(async () => {
  tiles = await TileInstallation.open();
  installation = tiles.installation;
});
afterAll(() => tiles[Symbol.asyncDispose]());

const services = { ...incidents, table: "services", kind: "number", measure: count };

/** Replaces a table by a view that reads differently. Returns a function that restores it. */
async function readThrough(condition: string, table = "services"): Promise<() => Promise<void>> {
  await installation.program.query(`
    alter table public.${table} rename to ${table}_stored;
    create view public.${table} as select * from public.${table}_stored where ${condition};
    grant all on public.${table} to public`);
  return async () => {
    await installation.program.query(`
      select pg_cancel_backend(pid) from pg_stat_activity
      where pid <> pg_backend_pid() and query ~ '"${table}"' and state = 'active'`);
    await installation.program.query(
      `drop view public.${table}; alter table public.${table}_stored rename to ${table}`,
    );
  };
}

describe("a tile that takes long to read", () => {
  it("does not delay updates of other wallboards", async () => {
    using screen = await WallboardClient.open(
      installation.server.url,
      installation.ownerUser.token,
    );
    using other = await WallboardClient.open(installation.server.url, installation.ownerUser.token);
    const tile = { ...incidents, id: "all", kind: "number", measure: count };
    await screen.show(await tiles.newWallboard([tile]));
    const slow = await tiles.newWallboard([{ ...services, id: "slow" }]);
    const goBack = await readThrough("pg_sleep(5) is not null");
    const call = { wallboard: slow };
    const answer = await other.socket.timeout(60_000).emitWithAck("tiles", call);
    expect(answer.frame.tiles.slow.state).toBe("waiting");
    for (let n = 0; n < 3; n += 1) {
      const before = Number(screen.tile("all")?.value);
      await tiles.newIncident();
      await vi.waitFor(() => expect(screen.tile("all")?.value).toBe(before + 1), within);
    }
    expect(other.frames.filter((frame) => frame.tiles.slow?.state === "ok")).toEqual([]);
    await goBack();
    await vi.waitFor(() => expect(other.tile("slow")?.state).toBe("ok"), within);
  });
});

describe("a name that takes long to look up", () => {
  it("does not delay updates of other wallboards", async () => {
    using screen = await WallboardClient.open(
      installation.server.url,
      installation.ownerUser.token,
    );
    using other = await WallboardClient.open(installation.server.url, installation.ownerUser.token);
    const tile = { ...incidents, kind: "number", measure: count };
    await screen.show(await tiles.newWallboard([{ ...tile, id: "all" }]));
    const callers = { ...tile, id: "callers", kind: "breakdown", group: "caller", limit: 5 };
    const slow = await tiles.newWallboard([callers, { ...tile, id: "beside" }]);
    const goBack = await readThrough("pg_sleep(60) is not null", "people");
    await other.show(slow);
    const named = () =>
      (other.tile("callers")?.rows ?? []).filter(({ key, label }) => label !== key && key !== null);
    for (let n = 0; n < 3; n += 1) {
      const before = Number(screen.tile("all")?.value);
      await tiles.newIncident();
      for (const [one, id] of [
        [screen, "all"],
        [other, "beside"],
      ] as const) {
        await vi.waitFor(() => expect(one.tile(id)?.value).toBe(before + 1), within);
      }
    }
    expect(named()).toEqual([]);
    await goBack();
    await vi.waitFor(() => expect(named()).not.toEqual([]), within);
  });
});

describe("a comparison with the database that fails", () => {
  it("changes nothing of a tile that is updated from changes", async () => {
    using screen = await WallboardClient.open(
      installation.server.url,
      installation.ownerUser.token,
    );
    await screen.show(await tiles.newWallboard([{ ...services, id: "updated" }]));
    await vi.waitFor(() => expect(screen.tile("updated")?.state).toBe("ok"), within);
    const [failures, queries] = [
      await tiles.tileValue("watchfloor_tile_failures_total"),
      await tiles.tileValue("watchfloor_tile_queries_total"),
    ];
    const goBack = await readThrough("1 / (length(id) - length(id)) = 1");
    await vi.waitFor(async () => {
      expect(await tiles.tileValue("watchfloor_tile_queries_total")).toBeGreaterThan(queries + 2);
    }, within);
    expect(screen.frames.filter((frame) => frame.tiles.updated?.state === "failed")).toEqual([]);
    expect(await tiles.tileValue("watchfloor_tile_failures_total")).toBe(failures);
    await goBack();
  });
});
