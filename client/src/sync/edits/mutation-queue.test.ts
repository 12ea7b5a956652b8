import { describe, expect, it } from "vitest";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import type { MutateCall } from "../../../../shared/protocol/mutate.ts";
import { createMemoryEditStorage } from "../../transport/memory-edit-storage.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { fakeSystem, IDLE_MS } from "../testing/fake-system.ts";
import { MutationQueue, type QueueDeps } from "./mutation-queue.ts";

async function opened() {
  const desk = fakeSystem();
  desk.seed(5);
  const client = desk.client("ann", createMemoryEditStorage());
  client.core.openTable("incidents");
  client.core.start();
  await desk.clock.advance(100);
  const edit = (title: string, was: string) =>
    client.core.edits.edit("incidents", { record: "i1", set: { title }, base: { title: was } });
  const title = () => desk.server.incidents.records.get("i1")?.values.title;
  return { ...desk, client, edit, title };
}

describe("the mutation queue", () => {
  it("C18 sends an edit again also when the machine's clock was set back meanwhile", async () => {
    const { clock, server, edit, title } = await opened();
    const code = "unavailable" as const;
    server.failure = (name) => (name === "mutate" ? { code, message: "", retryAfter: 2 } : null);
    edit("Mine", "Title 1");
    await clock.advance(100);
    server.failure = () => null;
    clock.setBy(-3_600_000);
    await clock.advance(IDLE_MS);
    expect(title()).toBe("Mine");
  });

  it("C18 waits for what the server asked for, also when the machine's clock was set forward", async () => {
    const { client, clock, server, edit } = await opened();
    const code = "rate_limited" as const;
    server.failure = (name) => (name === "mutate" ? { code, message: "", retryAfter: 30 } : null);
    edit("Mine", "Title 1");
    await clock.advance(100);
    clock.setBy(3_600_000);
    const other = { record: "i2", set: { title: "Mine" }, base: { title: "Title 2" } };
    client.core.edits.edit("incidents", other);
    await clock.advance(20_000);
    expect(client.line.calls.filter(({ name }) => name === "mutate")).toHaveLength(1);
  });

  it("C18 sends an edit again within a second once the server says that it can be used again", async () => {
    const { client, clock, server, edit, title } = await opened();
    const code = "unavailable" as const;
    server.failure = (name) => (name === "mutate" ? { code, message: "" } : null);
    client.line.send("notice", { kind: "health", degraded: true, reason: "store" });
    edit("Mine", "Title 1");
    // Long enough that the next try by itself is up to half a minute away.
    await clock.advance(120_000);
    server.failure = () => null;
    client.line.send("notice", { kind: "health", degraded: false });
    await clock.advance(1_000);
    expect(title()).toBe("Mine");
  });

  it("C18 does so also where it hears of that before the refusal that was on its way", async () => {
    const { client, clock, server, edit, title } = await opened();
    let answers = 0;
    server.failure = (name) => (name === "mutate" ? { code: "unavailable", message: "" } : null);
    const call = client.line.call.bind(client.line);
    client.line.call = (...args) =>
      call(...args).catch(async (refusal: unknown) => {
        answers += 1;
        if (answers === 8) {
          server.failure = () => null;
          client.line.send("notice", { kind: "health", degraded: false });
          await new Promise<void>((resolve) => clock.after(100, resolve));
        }
        throw refusal;
      });
    edit("Mine", "Title 1");
    while (answers < 8) await clock.advance(100);
    await clock.advance(1_200);
    expect(title()).toBe("Mine");
  });

  it("C18 sends an edit again with the same id until it is answered, however it failed", async () => {
    const { client, clock, server, edit, title } = await opened();
    const codes = ["unavailable", "internal", "rate_limited"] as const;
    let tries = 0;
    server.failure = (name) => {
      const code = name === "mutate" ? codes[tries++] : undefined;
      return code ? { code, message: "" } : null;
    };
    edit("Mine", "Title 1");
    await clock.advance(IDLE_MS);
    const ids = client.line.calls.flatMap(({ name, call }) =>
      name === "mutate" ? [(call as MutateCall).id] : [],
    );
    expect(ids).toEqual(Array(4).fill(ids[0]));
    expect(title()).toBe("Mine");
  });

  it("says how edits came about, and that they are undone", async () => {
    const { client, clock } = await opened();
    const { edits, undo } = client.core;
    const of = (was: string) => ({ record: "i1", set: { title: "Mine" }, base: { title: was } });
    const sent = () =>
      client.line.calls.flatMap(({ name, call }) =>
        name === "mutate" ? [(call as MutateCall).origin] : [],
      );
    edits.editMany("incidents", [of("Title 1")], "paste");
    await clock.advance(IDLE_MS);
    undo.undo();
    await clock.advance(IDLE_MS);
    edits.edit("incidents", of("Title 1"));
    await clock.advance(IDLE_MS);
    expect(sent()).toEqual(["paste", "undo", undefined]);
  });

  it("C18 sends again at once, after a cut, what nobody has answered", async () => {
    const line = { isUp: true };
    const sent: string[] = [];
    const clock = new FakeClock(1);
    const queue = new MutationQueue({
      ...{ clock, isReady: () => line.isUp, isTableReady: () => true },
      ...{ onAnswered() {}, onSessionEnded() {}, onFailure() {} },
      send: async ({ id }) => {
        sent.push(id);
        line.isUp = false;
        throw new Refusal("unavailable", { lost: true });
      },
    });
    queue.add(updateOf("first"));
    queue.pump();
    await clock.advance(0);
    line.isUp = true;
    queue.pump();
    expect(sent).toEqual(["first", "first"]);
  });

  it("C17 goes on with the next edit of a record when the answer to one can't be entered", async () => {
    const clock = new FakeClock(1);
    const sent: string[] = [];
    const failures: unknown[] = [];
    const deps: QueueDeps = {
      clock,
      send: async ({ id }) => {
        sent.push(id);
        return { results: [{ ok: true, record: "i1", version: "e1.1", seq: 1 }] };
      },
      isReady: () => true,
      isTableReady: () => true,
      onAnswered: () => {
        throw new Error("The screen failed.");
      },
      onSessionEnded: () => {},
      onFailure: (error) => failures.push(error),
    };
    const queue = new MutationQueue(deps);
    for (const id of ["first", "second"]) queue.add(updateOf(id));
    queue.pump();
    await clock.advance(IDLE_MS);
    expect(sent).toEqual(["first", "second"]);
    expect(queue.all()).toEqual([]);
    expect(failures).toHaveLength(2);
  });
});

function updateOf(id: string) {
  const op = {
    op: "update" as const,
    table: "incidents",
    record: "i1",
    set: { title: id },
    base: { title: "Title 1" },
  };
  const ref = { mutation: id, index: 0 };
  const state = { kind: "waiting" as const };
  return {
    stored: {
      ...{ id, user: "ann", tab: "tab", order: 1, ops: [op], atomic: false },
      ...{ origin: "edit" as const, refusals: {} },
    },
    ops: [{ ref, table: "incidents", record: "i1", op, state }],
    ...{ batch: null, storing: 0, isSending: false, attempts: 0, notBefore: 0 },
  };
}
