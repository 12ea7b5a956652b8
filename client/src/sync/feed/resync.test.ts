import { describe, expect, it } from "vitest";
import { modelUpdatesAtom } from "../../state/connection-state.ts";
import { editIssuesAtom } from "../../state/edit-issues.ts";
import { unsavedTextsAtom } from "../../state/unsaved-texts.ts";
import { fullScope } from "../testing/fake-server.ts";
import { fakeSystem, IDLE_MS } from "../testing/fake-system.ts";

const byRank = { filter: null, sort: ["rank"], search: "" };
const onlyNew = { field: "state", op: "eq" as const, value: "New" };

async function opened(records = 6) {
  const system = fakeSystem();
  system.seed(records);
  const client = system.client();
  const session = client.core.openTable("incidents");
  const rowList = session.openRowList(byRank);
  client.core.start();
  await system.clock.advance(100);
  const ids = async () => {
    const pendingRows = rowList.getRows(0, 100);
    await system.clock.advance(20);
    return (await pendingRows).rows.map(({ id }) => id);
  };
  return { ...system, client, session, rowList, ids };
}

describe("a client whose stream begins anew", () => {
  it("C8 takes a message that fits no schema for a hole", async () => {
    const { client, session, clock, change, rowList } = await opened();
    client.line.faults = { ...client.line.faults, dropMessage: 1 };
    change("i1", { title: "Unseen" });
    client.line.faults = { ...client.line.faults, dropMessage: 0 };
    client.line.sendUnreadable(null);
    await clock.advance(100);
    expect(rowList.get("i1")?.values.title).toBe("Unseen");
    expect(session.counters).toMatchObject({ unreadable: 1, holes: 1, resyncs: 0 });
  });

  it("C8 notices that the server no longer counts it among the followers", async () => {
    const { client, clock, change, rowList } = await opened();
    client.line.following.clear();
    change("i1", { title: "Unseen" });
    await clock.advance(6_000);
    expect(rowList.get("i1")?.values.title).toBe("Unseen");
  });

  it("C9 forgets what it may not see any more, at once, and shows the rest", async () => {
    const { clock, rowList, server, ids } = await opened();
    server.setScope("ann", { name: "new", filter: onlyNew, hidden: ["secret"] });
    const seen: unknown[] = [];
    rowList.onRows(() =>
      seen.push(rowList.get("i1")?.values.secret, rowList.get("i0")?.values.secret),
    );
    await clock.advance(IDLE_MS);
    expect(seen.every((value) => value === undefined)).toBe(true);
    expect(await ids()).toEqual(["i0", "i2", "i4"]);
    expect(rowList.get("i1")).toBeUndefined();
    expect(rowList.get("i0")?.values).not.toHaveProperty("secret");
  });

  it.each(["the scope", "the epoch"].flatMap((what) => [0, 14].map((ms) => [what, ms] as const)))(
    "C20 shows a new record of mine all the time if %s begins anew %i ms after it was written",
    async (what, ms) => {
      const { client, clock, rowList, server } = await opened();
      const counts = new Set<number>();
      const { record } = client.core.edits.create("incidents", { title: "Mine", rank: 9 });
      rowList.setCurrent(record);
      // The answer comes, the change does not.
      client.line.faults = { ...client.line.faults, dropMessage: 1 };
      await clock.advance(ms);
      rowList.onRows(() => counts.add(rowList.created.length));
      if (what === "the epoch") server.startEpoch();
      else server.setScope("ann", { name: "blind", filter: null, hidden: ["secret"] });
      client.line.faults = { ...client.line.faults, dropMessage: 0 };
      await clock.advance(IDLE_MS);
      expect([...counts]).toEqual([1]);
      expect(rowList.get(record)).toMatchObject({ pending: null, values: { title: "Mine" } });
    },
  );

  it("C9 C11 is live again after a reset that the server could not serve for long", async () => {
    const { client, clock, change, server, session, rowList } = await opened();
    client.line.isUnreachable = true;
    client.line.cut();
    change("i1", { title: "Meanwhile" });
    server.incidents.prune();
    server.failure = (name) => (name === "query" ? { code: "unavailable", message: "" } : null);
    client.line.isUnreachable = false;
    await clock.advance(120_000);
    expect(session.phase).toBe("resyncing");
    server.failure = () => null;
    await clock.advance(IDLE_MS);
    expect(session.phase).toBe("live");
    expect(rowList.get("i1")?.values.title).toBe("Meanwhile");
  });

  it("C10 C11 reads cached records again in smaller portions where they are too large for one", async () => {
    const { client, clock, change, server, session } = await opened(60);
    await Promise.all([session.hold("i5"), session.hold("i50"), clock.advance(100)]);
    client.line.isUnreachable = true;
    client.line.cut();
    for (const id of ["i5", "i50"]) change(id, { title: "Meanwhile" });
    server.incidents.prune();
    const tooManyBytes = { code: "too_large" as const, message: "", unit: "bytes" };
    const isRefused = (call: object) => ((call as { limit?: number }).limit ?? 0) > 9;
    server.failure = (name, call) => (name === "query" && isRefused(call) ? tooManyBytes : null);
    client.line.isUnreachable = false;
    await clock.advance(120_000);
    expect(session.phase).toBe("live");
    for (const id of ["i5", "i50"]) expect(session.get(id)?.values.title).toBe("Meanwhile");
  });

  it("C9 C13 discards a page that was read with the previous scope", async () => {
    const { client, clock, server, rowList } = await opened(300);
    const call = client.line.call.bind(client.line);
    let held = 500;
    client.line.call = async (...args) => {
      const answer = await call(...args);
      const wait = args[0] === "query" ? held : 0;
      held = 0;
      if (wait > 0) await new Promise<void>((resolve) => clock.after(wait, resolve));
      return answer;
    };
    const pendingRows = rowList.getRows(100, 200);
    await clock.advance(10);
    server.setScope("ann", { name: "blind", filter: null, hidden: ["secret"] });
    await clock.advance(IDLE_MS);
    const { rows } = await pendingRows;
    expect(rows).toHaveLength(100);
    for (const { values } of rows) expect(values).not.toHaveProperty("secret");
  });

  it("C9 lets edits of records that it no longer sees leave the browser", async () => {
    const { client, clock, server } = await opened();
    server.failure = (name) => (name === "mutate" ? { code: "unavailable", message: "" } : null);
    const outcomes = ["i1", "i2"].map((record) => {
      const base = { title: `Title ${record.slice(1)}` };
      return client.core.edits.edit("incidents", { record, set: { title: "X" }, base }).outcome;
    });
    await clock.advance(100);
    expect(await client.storage.load("ann")).toHaveLength(2);
    server.setScope("ann", { name: "new", filter: onlyNew, hidden: [] });
    await clock.advance(IDLE_MS);
    const stored = await client.storage.load("ann");
    expect(stored.flatMap(({ ops }) => ops.map(({ record }) => record))).toEqual(["i2"]);
    server.failure = () => null;
    await clock.advance(60_000);
    expect(await Promise.all(outcomes)).toMatchObject([
      { kind: "dropped", record: "i1" },
      { kind: "confirmed", record: "i2" },
    ]);
  });

  it("C34 keeps what was typed for a record that it no longer sees, for its author", async () => {
    const { client, clock, server } = await opened();
    server.failure = (name) => (name === "mutate" ? { code: "unavailable", message: "" } : null);
    const base = { title: "Title 1" };
    client.core.edits.edit("incidents", { record: "i1", set: { title: "Typed" }, base });
    server.setScope("ann", { name: "new", filter: onlyNew, hidden: [] });
    await clock.advance(IDLE_MS);
    expect(client.store.get(unsavedTextsAtom)).toMatchObject([
      { table: "incidents", record: "i1", field: "title", text: "Typed" },
    ]);
    expect(JSON.stringify(client.store.get(unsavedTextsAtom))).not.toContain("Title 1");
  });

  it("C34 still sends edits of records whose creation waits, whatever it may see of other records", async () => {
    const { client, clock, server } = await opened();
    const { edits } = client.core;
    server.failure = (name) => (name === "mutate" ? { code: "unavailable", message: "" } : null);
    const values = { title: "First", state: "New", rank: 1 };
    for (const record of ["n1", "n2"]) edits.create("incidents", values, record);
    const [base, set] = [{ title: "First" }, { title: "Second" }];
    const records = ["n1", "n2"].map((record) => ({ record, set, base }));
    const { outcomes } = edits.editMany("incidents", records);
    server.setScope("ann", { name: "new", filter: onlyNew, hidden: [] });
    await clock.advance(IDLE_MS);
    server.failure = () => null;
    await clock.advance(60_000);
    expect(await outcomes).toMatchObject([{ kind: "confirmed" }, { kind: "confirmed" }]);
    expect(server.incidents.records.get("n1")?.values).toMatchObject(set);
    expect(client.store.get(unsavedTextsAtom)).toEqual([]);
  });

  it("C34 reports the outcome of a deletion and a transition of records that it no longer sees", async () => {
    const { client, clock, server, change } = await opened();
    const { edits } = client.core;
    server.failure = (name) => (name === "mutate" ? { code: "unavailable", message: "" } : null);
    edits.delete("incidents", "i1");
    const step = { transition: "resolve", from: "Active", base: { title: "Title 3" } };
    edits.transition("incidents", "i3", { ...step, set: { title: "Done" }, reason: "Why not" });
    server.setScope("ann", { name: "new", filter: onlyNew, hidden: [] });
    await clock.advance(IDLE_MS);
    expect(JSON.stringify(await client.storage.load("ann"))).not.toMatch(/Active|Title 3/);
    server.failure = () => null;
    await clock.advance(60_000);
    const issues = client.store.get(editIssuesAtom);
    expect(issues.map(({ kind, record }) => `${kind} ${record}`).sort()).toEqual([
      "rejected i1",
      "rejected i3",
    ]);
    for (const { message } of issues) expect(message).toBe("There is nothing here.");
    expect(client.counts()).toEqual({ waiting: 0, conflicts: 0, rejected: 2 });
    expect(client.store.get(unsavedTextsAtom).map(({ text }) => text)).toEqual(["Done"]);
    // Another change of scope leaves the list as it is.
    server.setScope("ann", { name: "none", filter: { ...onlyNew, value: "None" }, hidden: [] });
    change("i1", { title: "Still there" });
    await clock.advance(IDLE_MS);
    expect(client.counts().rejected).toBe(2);
    for (const { edit } of issues) edits.drop(edit);
    expect(client.counts().rejected).toBe(0);
  });

  it("C34 stores nothing that a refused deletion revealed of the record", async () => {
    const { client, clock, server } = await opened();
    client.core.edits.delete("incidents", "i1");
    const fields = { title: { base: "Old", mine: null, theirs: "Seen", by: null, at: null } };
    const error = { code: "conflict" as const, message: "Somebody was faster.", fields };
    server.incidents.run = () => ({ ok: false, error });
    await clock.advance(1_000);
    expect(client.counts()).toEqual({ waiting: 0, conflicts: 1, rejected: 0 });
    expect(JSON.stringify(await client.storage.load("ann"))).not.toMatch(/Seen|Old/);
  });

  it("C34 delivers an edit that is made while it is found out what it still sees", async () => {
    const { client, clock, server } = await opened();
    const edit = (record: string, was: string) =>
      client.core.edits.edit("incidents", { record, set: { title: "X" }, base: { title: was } });
    server.failure = (name) => (name === "mutate" ? { code: "unavailable", message: "" } : null);
    edit("i0", "Title 0");
    await clock.advance(100);
    // What is not stored yet is not under way.
    client.storage.putAll = () => new Promise((resolve) => clock.after(500, resolve));
    const call = client.line.call.bind(client.line);
    let outcome: Promise<unknown> | null = null;
    client.line.call = async (...args) => {
      const isReview = args[0] === "query" && JSON.stringify(args[1]).includes('["i0"]');
      if (isReview) outcome ??= edit("i2", "Title 2").outcome;
      return call(...args);
    };
    server.setScope("ann", { name: "new", filter: onlyNew, hidden: [] });
    await clock.advance(IDLE_MS);
    server.failure = () => null;
    await clock.advance(60_000);
    expect(await outcome).toMatchObject({ kind: "confirmed", record: "i2" });
  });

  it("C9 keeps nothing of a table that is refused", async () => {
    const { client, session, clock, server, rowList } = await opened();
    server.failure = (name) =>
      name === "subscribe" ? { code: "not_found", message: "There is nothing." } : null;
    const updates = client.store.get(modelUpdatesAtom);
    client.line.cut();
    await clock.advance(IDLE_MS);
    expect(session.phase).toBe("refused");
    // No message could say so while it was disconnected: what else it may do is read again.
    expect(client.store.get(modelUpdatesAtom)).toBe(updates + 1);
    expect(rowList.status).toMatchObject({ phase: "refused", rowCount: 0 });
    expect(rowList.get("i1")?.values ?? {}).toEqual({});
    expect(client.connection()).toBe("live");
  });

  it("C9 shows a table again that it may read again", async () => {
    const { client, session, clock, server, ids } = await opened();
    server.failure = (name) =>
      name === "subscribe" ? { code: "forbidden", message: "No." } : null;
    client.line.cut();
    await clock.advance(IDLE_MS);
    server.failure = () => null;
    client.line.send("model", { version: 2 });
    await clock.advance(IDLE_MS);
    expect(session.phase).toBe("live");
    expect(await ids()).toEqual(["i0", "i1", "i2", "i3", "i4", "i5"]);
  });

  it("C9 shows a table that it may read again, also where it hears of that together with the refusal", async () => {
    const { client, session, clock, server } = await opened();
    server.failure = (name) =>
      name === "subscribe" ? { code: "not_found", message: "There is nothing." } : null;
    const call = client.line.call.bind(client.line);
    client.line.call = (...args) =>
      call(...args).catch(async (refusal: unknown) => {
        server.failure = () => null;
        client.line.send("model", { version: 2 });
        await new Promise<void>((resolve) => clock.after(10, resolve));
        throw refusal;
      });
    client.line.cut();
    await clock.advance(IDLE_MS);
    expect(session.phase).toBe("live");
  });

  it("C9 shows a table, and a record that is held, once it may read it for the first time", async () => {
    const system = fakeSystem();
    system.seed(300);
    const { clock, server } = system;
    server.takeRights("ann", "longer");
    const client = system.client();
    const session = client.core.openTable("incidents");
    const rowList = session.openRowList(byRank);
    client.core.start();
    const refused = expect(session.hold("i250")).rejects.toMatchObject({ code: "not_found" });
    await clock.advance(100);
    await refused;
    expect(rowList.status.phase).toBe("refused");
    server.giveRights("ann");
    await clock.advance(IDLE_MS);
    expect(session.phase).toBe("live");
    expect(rowList.status).toMatchObject({ phase: "ready", total: 300 });
    expect(session.get("i250")?.values.title).toBe("Title 250");
  });

  it("C9 shows the rows of a table that it may read again, also where its user was at work in them", async () => {
    const { client, rowList, clock, server, ids } = await opened();
    rowList.setCurrent("i1");
    server.failure = (name) =>
      name === "subscribe" ? { code: "forbidden", message: "No." } : null;
    client.line.cut();
    await clock.advance(IDLE_MS);
    server.failure = () => null;
    client.line.send("model", { version: 2 });
    await clock.advance(IDLE_MS);
    expect(rowList.status).toMatchObject({ phase: "ready", rowCount: 6 });
    expect(await ids()).toEqual(["i0", "i1", "i2", "i3", "i4", "i5"]);
  });

  it("C9 shows a record that is held, such as in an open panel, once it may be seen", async () => {
    const { client, clock, server, session } = await opened(300);
    server.setScope("ann", { name: "new", filter: onlyNew, hidden: [] });
    await clock.advance(IDLE_MS);
    const held = session.hold("i251");
    await clock.advance(100);
    expect(await held).toBeNull();
    server.setScope("ann", fullScope);
    await clock.advance(IDLE_MS);
    expect(session.get("i251")?.values.title).toBe("Title 251");
    expect(client.connection()).toBe("live");
  });

  it.each(["query_timeout", "model_mismatch"] as const)(
    "C11 reads cached records again, and is live, also after the server could not for a while: %s",
    async (code) => {
      const { client, clock, change, server, session } = await opened(300);
      await Promise.all([session.hold("i250"), clock.advance(100)]);
      client.line.isUnreachable = true;
      client.line.cut();
      change("i250", { title: "Meanwhile" });
      server.incidents.prune();
      const isById = (call: object) =>
        (call as { filter?: { field: string } }).filter?.field === "id";
      server.failure = (name, call) =>
        name === "query" && isById(call) ? { code, message: "" } : null;
      client.line.isUnreachable = false;
      await clock.advance(IDLE_MS);
      expect(session.phase).toBe("resyncing");
      server.failure = () => null;
      await clock.advance(60_000);
      expect(session.phase).toBe("live");
      expect(session.get("i250")?.values.title).toBe("Meanwhile");
    },
  );

  it("C10 shows what it has until it is read anew, then the truth", async () => {
    const { clock, rowList, server, change, session, ids } = await opened();
    server.startEpoch();
    change("i1", { rank: 99 });
    await clock.advance(1);
    expect(rowList.get("i1")?.values.title).toBe("Title 1");
    await clock.advance(IDLE_MS);
    expect(session.position?.epoch).toBe("e2");
    expect(await ids()).toEqual(["i0", "i2", "i3", "i4", "i5", "i1"]);
  });

  it("C10 reads anew after an absence that the log does not cover, and buries what is gone", async () => {
    const { client, clock, session, server, remove, change } = await opened();
    const held = session.hold("i3");
    await clock.advance(20);
    expect((await held)?.values.title).toBe("Title 3");
    client.line.isUnreachable = true;
    client.line.cut();
    remove("i3");
    change("i2", { title: "Other" });
    server.incidents.prune();
    client.line.isUnreachable = false;
    await clock.advance(IDLE_MS);
    expect(session.counters.resyncs).toBe(1);
    expect(session.get("i2")?.values.title).toBe("Other");
    expect(session.get("i3")).toMatchObject({ mark: "deleted", values: {} });
  });

  it("C10 keeps a pending edit over a resync and delivers it", async () => {
    const { client, clock, rowList, server } = await opened();
    client.line.isUnreachable = true;
    client.line.cut();
    const base = { title: "Title 2" };
    client.core.edits.edit("incidents", { record: "i2", set: { title: "Mine" }, base });
    server.startEpoch();
    client.line.isUnreachable = false;
    await clock.advance(IDLE_MS);
    expect(server.incidents.records.get("i2")?.values.title).toBe("Mine");
    expect(rowList.get("i2")).toMatchObject({ values: { title: "Mine" }, cells: {} });
  });

  it("C11 asks without a position when the server does not understand the one it has", async () => {
    const system = fakeSystem();
    const client = system.client();
    const session = client.core.openTable("incidents");
    client.core.start();
    await system.clock.advance(1_000);
    system.server.failure = (name, call) =>
      name === "subscribe" && "after" in call
        ? { code: "invalid_request", message: "What is that?" }
        : null;
    client.line.cut();
    await system.clock.advance(20_000);
    expect(session.phase).toBe("live");
  });

  it("C11 asks again when the server has no time for a subscribe", async () => {
    const system = fakeSystem();
    system.server.failure = () => ({ code: "rate_limited", message: "Later.", retryAfter: 4 });
    const client = system.client();
    const session = client.core.openTable("incidents");
    client.core.start();
    await system.clock.advance(3_900);
    expect(client.connection()).toBe("connecting");
    expect(client.line.calls.filter(({ name }) => name === "subscribe")).toHaveLength(1);
    system.server.failure = () => null;
    await system.clock.advance(20_000);
    expect(session.phase).toBe("live");
    expect(client.connection()).toBe("live");
  });
});
