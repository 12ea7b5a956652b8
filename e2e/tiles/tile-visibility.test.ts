import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { writeStartOfDay } from "../../shared/filter/clock.ts";
import type { TestInstallation } from "../harness/test-installation.ts";
import { addUser } from "../harness/test-user.ts";
import { pairDisplay } from "../harness/wallboards.ts";
import {
  count,
  everyKind,
  incidents,
  open,
  TileInstallation,
  within,
} from "./tile-installation.ts";
import { WallboardClient } from "./wallboard-client.ts";

let tiles: TileInstallation;
let installation: TestInstallation;
let made = 0;

beforeAll(async () => {
  tiles = await TileInstallation.open();
  installation = tiles.installation;
});
afterAll(() => tiles[Symbol.asyncDispose]());

describe("T3 rights", () => {
  it("everybody sees a wallboard in their own scope; what they may not read is hidden", async () => {
    const read = { filter: { field: "group", op: "eq", value: "Network" }, hide: ["caller"] };
    const role = { name: `Role ${++made}`, rights: [], grants: { incidents: { read } } };
    const { id } = await installation.ownerUser.call<{ id: string }>("POST", "/roles", role);
    const user = await addUser(
      installation.server.url,
      installation.ownerUser,
      `Networker ${made}`,
      id,
    );
    using screen = await WallboardClient.open(installation.server.url, user.token);
    const frame = await screen.show(await tiles.newWallboard(everyKind));
    const network = (await tiles.summary("group=group")).find(({ key }) => key === "Network");
    expect(frame.tiles.states?.value).toBe(network?.value);
    expect(frame.tiles.callers).toEqual({ state: "hidden" });
    // Earlier changes are shown to nobody without the right to the history.
    expect(frame.tiles.latest).toEqual({ state: "hidden" });
    const grants = { incidents: { read: { ...read, hide: ["caller", "state"] } } };
    await installation.ownerUser.call("PATCH", `/roles/${id}`, {
      grants,
      base: { grants: role.grants },
    });
    await vi.waitFor(() => expect(screen.tile("states")).toEqual({ state: "hidden" }), within);
    await installation.ownerUser.call("PATCH", `/users/${user.info.id}`, { status: "disabled" });
    await vi.waitFor(() => expect(screen.goodbye).toBe("signed_out"), within);
  });

  it("a display sees what the publisher could, of its own wallboards and of nothing else", async () => {
    const wallboard = await tiles.newWallboard(everyKind);
    const other = await tiles.newWallboard(everyKind);
    const { id, token } = await pairDisplay(installation.server.url, installation.ownerUser, [
      wallboard,
    ]);
    using screen = await WallboardClient.open(installation.server.url, token, "display");
    const frame = await screen.show(wallboard);
    expect(frame.tiles.states?.value).toBe((await tiles.summary(""))[0]?.value);
    expect(JSON.stringify(frame.board)).not.toContain('Resolved\\",');
    await expect(screen.show(other)).rejects.toThrow("not_found");
    await expect(screen.show(wallboard, true)).rejects.toThrow("not_found");
    await expect(screen.show("home")).rejects.toThrow("not_found");
    await installation.ownerUser.call("POST", `/displays/${id}/revoke`);
    await vi.waitFor(() => expect(screen.goodbye).toBe("revoked"), within);
  });

  it("a display sees no more than its owner's role may, whoever publishes the wallboard, and goes on when they have left", async () => {
    const { ownerUser, server } = installation;
    const all = { ...incidents, id: "all", kind: "number", measure: count };
    const callers = { ...all, id: "callers", measure: { op: "distinct", field: "caller" } };
    const wallboard = await tiles.newWallboard([all]);
    const read = { hide: ["caller"] };
    const role = { name: `Role ${++made}`, rights: ["displays"], grants: { incidents: { read } } };
    const { id } = await ownerUser.call<{ id: string }>("POST", "/roles", role);
    const technician = await addUser(server.url, ownerUser, `Technician ${made}`, id);
    const paired = await pairDisplay(server.url, technician, [wallboard]);
    const path = `/displays/${paired.id}`;
    using screen = await WallboardClient.open(server.url, paired.token, "display");
    const shown = Number((await screen.show(wallboard)).tiles.all?.value);
    await ownerUser.call("PATCH", `/wallboards/${wallboard}`, {
      version: 1,
      tiles: [all, callers],
    });
    await ownerUser.call("POST", `/wallboards/${wallboard}/publish`, {});
    await vi.waitFor(() => expect(screen.tile("callers")).toEqual({ state: "hidden" }), within);
    expect(screen.tile("all")?.value).toBe(shown);
    const filter = { field: "group", op: "eq", value: "Network" };
    const grants = { incidents: { read: { ...read, filter } } };
    await ownerUser.call("PATCH", `/roles/${id}`, { grants });
    const network = (await tiles.summary("group=group")).find(({ key }) => key === "Network");
    await vi.waitFor(() => expect(screen.tile("all")?.value).toBe(network?.value), within);
    expect(network?.value).not.toBe(shown);
    await ownerUser.call("PATCH", `/users/${technician.info.id}`, { status: "disabled" });
    await tiles.newIncident({ group: "Network" });
    await vi.waitFor(
      () => expect(screen.tile("all")?.value).toBe(Number(network?.value) + 1),
      within,
    );
    expect(await ownerUser.call("GET", path)).toMatchObject({
      owner: { id: technician.info.id },
      ownerLeft: true,
    });
    await expect(ownerUser.call("DELETE", `/roles/${id}`)).rejects.toThrow();
    const taken = await ownerUser.call("POST", `${path}/take-over`);
    expect(taken).toMatchObject({ owner: { id: ownerUser.info.id }, ownerLeft: false });
    await vi.waitFor(() => expect(screen.tile("callers")?.value).toBeGreaterThan(0), within);
    expect(screen.goodbye).toBeNull();
  });

  it("a display sees what a user with fewer rights sees as soon as they publish the unchanged wallboard again", async () => {
    const wallboard = await tiles.newWallboard([
      { ...incidents, id: "all", kind: "number", measure: count },
    ]);
    const { token } = await pairDisplay(installation.server.url, installation.ownerUser, [
      wallboard,
    ]);
    using screen = await WallboardClient.open(installation.server.url, token, "display");
    const all = Number((await screen.show(wallboard)).tiles.all?.value);
    const read = { filter: { field: "group", op: "eq", value: "Network" } };
    const role = {
      name: `Role ${++made}`,
      rights: ["wallboards"],
      grants: { incidents: { read } },
    };
    const { id } = await installation.ownerUser.call<{ id: string }>("POST", "/roles", role);
    const name = `Publisher ${made}`;
    const publisher = await addUser(installation.server.url, installation.ownerUser, name, id);
    const { total } = await publisher.page("incidents", "limit=0");
    expect(total).toBeLessThan(all);
    await publisher.call("POST", `/wallboards/${wallboard}/publish`, { version: 1 });
    await vi.waitFor(() => expect(screen.tile("all")?.value).toBe(total), within);
    await tiles.newIncident();
    await tiles.newIncident({ group: "Network" });
    await vi.waitFor(() => expect(screen.tile("all")?.value).toBe(total + 1), within);
    await installation.ownerUser.call("POST", `/wallboards/${wallboard}/publish`, { version: 1 });
    await vi.waitFor(() => expect(screen.tile("all")?.value).toBe(all + 2), within);
  });

  it("a code on a tile opens exactly its records, under the rights of the scanning user", async () => {
    const number = { ...incidents, kind: "number", measure: count };
    const wallboard = await tiles.newWallboard([
      { ...number, id: "coded", filter: open, qr: true },
      { ...number, id: "plain" },
    ]);
    const { token } = await pairDisplay(installation.server.url, installation.ownerUser, [
      wallboard,
    ]);
    using screen = await WallboardClient.open(installation.server.url, token, "display");
    const frame = await screen.show(wallboard);
    const addressOf = (id: string) => frame.board?.tiles.find((tile) => tile.id === id)?.address;
    expect(addressOf("plain")).toBeUndefined();
    const [path, query] = addressOf("coded")?.split("?") ?? [];
    expect(path).toBe("/t/incidents");
    const all = await installation.ownerUser.page("incidents", `limit=0&${query}`);
    expect(frame.tiles.coded?.value).toBe(all.total);

    const network = { field: "group", op: "eq", value: "Network" };
    const grants = { incidents: { read: { filter: network } } };
    const role = { name: `Role ${++made}`, rights: [], grants };
    const { id } = await installation.ownerUser.call<{ id: string }>("POST", "/roles", role);
    const user = await addUser(
      installation.server.url,
      installation.ownerUser,
      `Scanner ${made}`,
      id,
    );
    const theirs = encodeURIComponent(JSON.stringify({ and: [open, network] }));
    const visiblePage = await user.page("incidents", `limit=0&${query}`);
    expect(visiblePage.total).toBe(
      (await installation.ownerUser.page("incidents", `limit=0&filter=${theirs}`)).total,
    );
    expect(visiblePage.total).toBeLessThan(all.total);
  });

  it("T8 publishing replaces the wallboard, its layout and its values together; the draft is for its authors", async () => {
    const wallboard = await tiles.newWallboard(everyKind.slice(0, 1));
    const viewer = await addUser(
      installation.server.url,
      installation.ownerUser,
      `Viewer ${++made}`,
      "viewer",
    );
    using screen = await WallboardClient.open(installation.server.url, viewer.token);
    using maker = await WallboardClient.open(installation.server.url, installation.ownerUser.token);
    await screen.show(wallboard);
    await expect(screen.show(wallboard, true)).rejects.toThrow("not_found");
    await maker.show(wallboard, true);
    const patch = { tiles: { open: { title: "All that is open" } } };
    await installation.ownerUser.call("PATCH", `/wallboards/${wallboard}`, patch);
    await vi.waitFor(
      () => expect(maker.frames.at(-1)?.board?.tiles[0]?.title).toBe("All that is open"),
      within,
    );
    expect(screen.frames.at(-1)?.version).toBe(1);
    await installation.ownerUser.call("POST", `/wallboards/${wallboard}/publish`, { version: 2 });
    await vi.waitFor(() => expect(screen.frames.at(-1)?.version).toBe(2), within);
    const swap = screen.frames.find(({ version }) => version === 2);
    expect(swap?.board?.tiles[0]?.title).toBe("All that is open");
    expect(swap?.tiles.open?.state).toBe("ok");
    await installation.ownerUser.call("DELETE", `/wallboards/${wallboard}`);
    await vi.waitFor(
      () => expect(screen.notices).toContainEqual(expect.objectContaining({ removed: true })),
      within,
    );
  });

  it("T8 publishing once changes every screen, once, while others write: no frame is half old", async () => {
    const [open, , states] = everyKind;
    const wallboard = await tiles.newWallboard([open, states] as object[]);
    const credentials = [
      await pairDisplay(installation.server.url, installation.ownerUser, [wallboard]),
      await pairDisplay(installation.server.url, installation.ownerUser, [wallboard]),
    ];
    const screens = await Promise.all(
      credentials.map(({ token }) =>
        WallboardClient.open(installation.server.url, token, "display"),
      ),
    );
    for (const screen of screens) await screen.show(wallboard);
    let isWriting = true;
    const writing = (async () => {
      while (isWriting) await tiles.newIncident();
    })();
    const patch = { tiles: { states: null, added: { ...open, id: "added", title: "Added" } } };
    await installation.ownerUser.call("PATCH", `/wallboards/${wallboard}`, patch);
    await installation.ownerUser.call("POST", `/wallboards/${wallboard}/publish`, { version: 2 });
    for (const { frames } of screens) {
      await vi.waitFor(
        () => expect(frames.filter(({ version }) => version === 2).length).toBeGreaterThan(1),
        within,
      );
    }
    isWriting = false;
    await writing;
    for (const { frames, socket } of screens) {
      const versions = frames.map(({ version }) => version);
      expect(versions).toEqual(versions.toSorted());
      expect(frames.find(({ version }) => version === 2)?.board?.tiles).toHaveLength(2);
      for (const { version, tiles: shown } of frames) {
        expect(Object.keys(shown)).toEqual(version === 1 ? ["open", "states"] : ["open", "added"]);
      }
      socket.disconnect();
    }
  });

  it("T9 the dashboard is the user's own: my work is mine", async () => {
    const user = await addUser(
      installation.server.url,
      installation.ownerUser,
      `Worker ${++made}`,
      "editor",
    );
    using screen = await WallboardClient.open(installation.server.url, user.token);
    await screen.show("home");
    expect(screen.tile("incidents-mine")?.value).toBe(0);
    await tiles.newIncident({ assignee: user.info.id });
    await vi.waitFor(() => expect(screen.tile("incidents-mine")?.value).toBe(1), within);
  });
});

describe("T9 the counts beside the table names", () => {
  it("are of what is open and what the user may read, and change as others write", async () => {
    const read = { filter: { field: "assignee", op: "eq", value: "$me" } };
    const role = { name: `Role ${++made}`, rights: [], grants: { incidents: { read } } };
    const { id } = await installation.ownerUser.call<{ id: string }>("POST", "/roles", role);
    const user = await addUser(
      installation.server.url,
      installation.ownerUser,
      `Counter ${++made}`,
      id,
    );
    using mine = await WallboardClient.open(installation.server.url, user.token);
    using all = await WallboardClient.open(installation.server.url, installation.ownerUser.token);
    await mine.show("tables");
    await all.show("tables");
    const before = Number(all.tile("table incidents")?.value);
    const filter = encodeURIComponent(JSON.stringify(open));
    const { total } = await installation.ownerUser.page("incidents", `limit=0&filter=${filter}`);
    expect(before).toBe(total);
    expect(Object.keys(mine.frames.at(-1)?.tiles ?? {})).toEqual(["table incidents"]);
    expect(mine.tile("table incidents")?.value).toBe(0);
    await tiles.newIncident({ assignee: user.info.id });
    await vi.waitFor(() => {
      expect(mine.tile("table incidents")?.value).toBe(1);
      expect(all.tile("table incidents")?.value).toBe(before + 1);
    }, within);
  });
});

describe("T9 today on the dashboard", () => {
  it("is the reader's own day, and a card opens exactly the records it counts", async () => {
    const zones = ["UTC", "Pacific/Kiritimati"];
    const starts = zones.map((zone) => Date.parse(writeStartOfDay(Date.now(), zone)));
    await tiles.newIncident({ opened_at: new Date(Math.min(...starts)).toISOString() });
    const checks = zones.map(async (zone) => {
      using screen = await WallboardClient.open(
        installation.server.url,
        installation.ownerUser.token,
      );
      return await vi.waitFor(async () => {
        const { board, tiles } = await screen.show("home", false, zone);
        const address = board?.tiles.find(({ id }) => id === "incidents-began")?.address ?? "";
        const { total } = await installation.ownerUser.page(
          "incidents",
          `limit=0&${address.split("?")[1]}`,
        );
        expect([board?.zone, tiles["incidents-began"]?.value]).toEqual([zone, total]);
        return total;
      }, within);
    });
    const [here, there] = await Promise.all(checks);
    expect(here).not.toBe(there);
  });
});

describe("T10 small groups", () => {
  it("are shown only combined with others", async () => {
    const category = `rare ${++made}`;
    await tiles.newIncident({ category });
    const tile = { ...incidents, id: "kinds", kind: "breakdown", group: "category", limit: 50 };
    using screen = await WallboardClient.open(
      installation.server.url,
      installation.ownerUser.token,
    );
    const frame = await screen.show(await tiles.newWallboard([{ ...tile, suppressBelow: 3 }]));
    const { rows = [], rest, value } = frame.tiles.kinds ?? {};
    expect(rows.map(({ key }) => key)).not.toContain(category);
    expect(Number(rest?.value)).toBeGreaterThanOrEqual(3);
    const checks = rows.reduce((sum, row) => sum + Number(row.value), 0);
    expect(checks + Number(rest?.value)).toBe(value);
    const only = { ...tile, id: "only", filter: { field: "category", op: "eq", value: category } };
    const alone = await screen.show(await tiles.newWallboard([{ ...only, suppressBelow: 3 }]));
    expect(alone.tiles.only).toEqual({ state: "suppressed" });
  });
});
