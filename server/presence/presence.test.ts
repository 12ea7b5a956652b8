import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { defaultLimits } from "../../shared/limits.ts";
import type { Values } from "../../shared/model/model.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import {
  type PresenceMessage,
  type PresenceUser,
  wallboardPlace,
} from "../../shared/protocol/presence.ts";
import { compileScopeOf } from "../policy/compiled-scope.ts";
import type { Bus } from "../relay/bus/bus.ts";
import { createInProcessBus } from "../relay/bus/in-process-bus.ts";
import { until } from "../relay/testing/bus-contract.ts";
import { subjectOf, table } from "../relay/testing/fan-out-environment.ts";
import { silentLog } from "../relay/testing/silent-log.ts";
import { Presence } from "./presence.ts";
import { PRESENCE_CHANNEL } from "./presence-entry.ts";

const limits = {
  ...defaultLimits,
  PRESENCE_TTL_MS: 25_000,
  PRESENCE_UPDATES_PER_SECOND: 500,
  PRESENCE_HEARTBEAT_MS: 8_000,
};
const running: Presence[] = [];
afterEach(() => {
  for (const presence of running.splice(0)) presence.stop();
});

/** One server with subscribers of group A, who don't see `hidden`, and subscribers who see everything. */
function node(bus = createInProcessBus(silentLog), overrides: Partial<typeof limits> = {}) {
  const heard: Record<string, PresenceMessage[]> = { A: [], "*": [] };
  const designers: { connections: readonly string[]; message: PresenceMessage }[] = [];
  const records = new Map<string, Values>();
  const rooms = ["A", "*"].map((name) => {
    const scope = compileScopeOf(subjectOf(name), table);
    if (!scope) throw new Error("no scope");
    const sendPresence = (message: PresenceMessage) => void heard[name]?.push(message);
    return { scope, sendPresence };
  });
  const presence = new Presence({
    bus,
    mayRead: (_subject, name) => name === "t" || name === wallboardPlace("b"),
    groups: () => rooms,
    groupOf: () => rooms[0],
    toDesigners: (connections, message) => designers.push({ connections, message }),
    readValues: async (_table, record) => records.get(record) ?? null,
    limits: { ...limits, ...overrides },
  });
  presence.start();
  running.push(presence);
  const last = (room = "*"): PresenceUser[] => heard[room]?.at(-1)?.people ?? [];
  return { presence, heard, last, records, bus, designers };
}

const identity = (name: string): { user: PresenceUser; subject: Subject } => ({
  user: { connection: "", id: name, name, colour: "red", mode: "viewing" },
  subject: subjectOf("*"),
});
const viewing = { table: "t", mode: "viewing" } as const;
const by = { kind: "user", id: "u", name: "U" } as const;

function changed(record: string, after: Values | null) {
  return [{ seq: 1, kind: "update" as const, record, before: {}, after, entry: 1, by, at: "" }];
}

describe("R1 everybody on a table receives who else is there, one entry per place", () => {
  test("tabs at one place are one entry, and of more places than five the latest are sent", async () => {
    const { presence, last } = node();
    for (let n = 0; n < 100; n += 1) presence.set(`tab ${n}`, identity("Ann"), viewing);
    presence.set("Ben's", identity("Ben"), viewing);
    await until(() => last().length === 2);
    expect(last()).toMatchObject([{ connection: "tab 99" }, { connection: "Ben's" }]);
    for (let n = 0; n < 9; n += 1) {
      presence.set(`tab ${n}`, identity("Ann"), { ...viewing, record: `r${n}` });
    }
    await until(() => last().some(({ record }) => record === "r8"));
    const places = last().filter(({ id }) => id === "Ann");
    expect(places.map(({ record }) => record)).toEqual(["r4", "r5", "r6", "r7", "r8"]);
  });

  test("coming, moving, editing and leaving", async () => {
    const { presence, last } = node();
    presence.set("c1", identity("Ann"), viewing);
    presence.set("c2", identity("Ann"), {
      ...viewing,
      record: "r1",
      field: "title",
      mode: "editing",
    });
    await until(() => last().length === 2);
    expect(last()).toMatchObject([
      { connection: "c1", name: "Ann", mode: "viewing" },
      { connection: "c2", record: "r1", field: "title", mode: "editing" },
    ]);
    presence.set("c1", identity("Ann"), { ...viewing, mode: "away" });
    presence.leave("c2");
    await until(() => last().length === 0);
  });

  test("a table that may not be read is not found", () => {
    const { presence } = node();
    const elsewhere = () => presence.set("c1", identity("Ann"), { ...viewing, table: "x" });
    expect(elsewhere).toThrow(expect.objectContaining({ code: "not_found" }));
  });

  test("a heartbeat that changes nothing sends nothing", async () => {
    const { presence, heard } = node();
    for (let n = 0; n < 5; n += 1) presence.set("c1", identity("Ann"), viewing);
    await sleep(20);
    expect(heard["*"]?.length).toBe(1);
  });

  test("many moves are sent at a limited rate, and the last place is never lost", async () => {
    const { presence, heard, last } = node(undefined, { PRESENCE_UPDATES_PER_SECOND: 10 });
    for (let n = 0; n < 200; n += 1) {
      presence.set("c1", identity("Ann"), { ...viewing, record: `r${n}` });
    }
    await until(() => last()[0]?.record === "r199");
    expect(heard["*"]?.length).toBe(2);
  });
});

describe("R2 presence reveals nothing that a scope hides", () => {
  test("on a record out of scope a user is shown on the table", async () => {
    const { presence, last, records } = node();
    records.set("mine", { group: "A" }).set("other", { group: "B" });
    presence.set("c1", identity("Ann"), { ...viewing, record: "mine", field: "title" });
    presence.set("c2", identity("Bob"), { ...viewing, record: "other", field: "title" });
    await until(() => last("A").length === 2 && last("A")[0]?.record === "mine");
    expect(last("A")[1]).not.toHaveProperty("record");
    expect(last("A")[1]).not.toHaveProperty("field");
    expect(last("*").map(({ record }) => record)).toEqual(["mine", "other"]);
  });

  test("on a hidden field a user is shown on the record", async () => {
    const { presence, last, records } = node();
    records.set("mine", { group: "A" });
    presence.set("c1", identity("Ann"), { ...viewing, record: "mine", field: "hidden" });
    await until(() => last("A")[0]?.record === "mine");
    expect(last("A")[0]).not.toHaveProperty("field");
    expect(last("*")[0]).toHaveProperty("field", "hidden");
  });

  test("a record that leaves the scope hides its users, one that enters shows them", async () => {
    const { presence, last, records } = node();
    records.set("r", { group: "A" });
    presence.set("c1", identity("Ann"), { ...viewing, record: "r" });
    await until(() => last("A")[0]?.record === "r");
    presence.noteChanges("t", changed("r", { group: "B" }));
    await until(() => last("A")[0]?.record === undefined);
    presence.noteChanges("t", changed("r", { group: "A" }));
    await until(() => last("A")[0]?.record === "r");
  });
});

describe("R4 users in a wallboard's designer receive who else is, and on which tile", () => {
  test("on all servers, and nobody else does", async () => {
    const one = node();
    const two = node(one.bus);
    const place = wallboardPlace("b");
    one.presence.set("c1", identity("Ann"), { table: place, mode: "viewing" });
    const onTile = { table: place, record: "tile-1", mode: "editing" } as const;
    two.presence.set("c2", identity("Bob"), onTile);
    await until(() => one.designers.at(-1)?.message.people.length === 2);
    const { connections, message } = one.designers.at(-1) ?? {};
    expect(connections).toEqual(["c1"]);
    expect(message?.people).toContainEqual(
      expect.objectContaining({ name: "Bob", record: "tile-1", mode: "editing" }),
    );
    expect(one.heard).toEqual({ A: [], "*": [] });
    const other = { table: wallboardPlace("other"), mode: "viewing" } as const;
    expect(() => one.presence.set("c1", identity("Ann"), other)).toThrow(
      expect.objectContaining({ code: "not_found" }),
    );
  });
});

describe("R3 all servers know all entries, and none that has ended", () => {
  test("another server receives a place at once", async () => {
    const one = node();
    const two = node(one.bus);
    one.presence.set("c1", identity("Ann"), viewing);
    await until(() => two.last().length === 1);
    one.presence.leave("c1");
    await until(() => two.last().length === 0);
  });

  test("a server that starts later requests the lists", async () => {
    const one = node();
    one.presence.set("c1", identity("Ann"), viewing);
    const late = node(one.bus);
    await until(() => late.last().length === 1);
  });

  test("a lost message is repaired by the next announcement", async () => {
    const one = node(undefined, { PRESENCE_HEARTBEAT_MS: 30 });
    let losing = true;
    const subscribe: Bus["subscribe"] = (channel, handler) =>
      one.bus.subscribe(channel, (message) => losing || handler(message));
    const two = node({ ...one.bus, subscribe });
    one.presence.set("c1", identity("Ann"), viewing);
    await sleep(50);
    losing = false;
    await until(() => two.last().length === 1);
    losing = true;
    one.presence.leave("c1");
    await sleep(50);
    losing = false;
    await until(() => two.last().length === 0);
  });

  test("one server can't remove the entries of another", async () => {
    const one = node();
    one.presence.set("c1", identity("Ann"), viewing);
    one.bus.publish(PRESENCE_CHANNEL, { node: "another", gone: "c1" });
    expect(PRESENCE_CHANNEL.schema.safeParse({ nonsense: true }).success).toBe(false);
    await sleep(20);
    expect(one.last().length).toBe(1);
  });

  test("entries of a killed server expire", async () => {
    const one = node(undefined, { PRESENCE_TTL_MS: 300 });
    const dead = node(one.bus);
    dead.presence.set("c1", identity("Ann"), viewing);
    await until(() => one.last().length === 1);
    dead.presence.stop();
    await until(() => one.last().length === 0);
  });

  test("a connection without a heartbeat expires, on all servers", async () => {
    const one = node(undefined, { PRESENCE_TTL_MS: 300 });
    const two = node(one.bus);
    one.presence.set("c1", identity("Ann"), viewing);
    await until(() => two.last().length === 1);
    await until(() => one.last().length === 0 && two.last().length === 0);
  });
});
