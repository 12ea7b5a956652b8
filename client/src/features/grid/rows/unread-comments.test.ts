import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { store } from "../../../state/store.ts";
import { storeUpdate } from "../../../state/updates.ts";
import { UnreadComments } from "./unread-comments.ts";

/** The latest comments, as the server has them, and how often it was asked. */
let items: { record: string; unread: boolean }[];
let asked: number;

beforeEach(() => {
  vi.useFakeTimers();
  asked = 0;
  items = ["a", "a", "b"].map((record) => ({ record, unread: true }));
  vi.stubGlobal("fetch", async () => {
    asked += 1;
    return Response.json({ items, total: items.length, next: null });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("counts those of each record, again after notices and when a record is closed, until it is stopped", async () => {
  const unread = new UnreadComments("incidents");
  const read = async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = unread.onChange(resolve);
    await vi.advanceTimersByTimeAsync(1_000);
    await promise;
    stop();
    return ["a", "b"].map((record) => unread.of(record));
  };
  unread.start();
  expect(await read()).toEqual([2, 1]);
  items = [{ record: "b", unread: true }];
  for (let notices = 0; notices < 3; notices += 1)
    storeUpdate(store, { kind: "comment", table: "incidents", record: "a" });
  expect(await read()).toEqual([0, 1]);
  items = [{ record: "b", unread: false }];
  unread.reload();
  expect(await read()).toEqual([0, 0]);
  expect(asked).toBe(3);
  unread.reload();
  unread.stop();
  storeUpdate(store, { kind: "comment", table: "incidents", record: "a" });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toBe(3);
});
