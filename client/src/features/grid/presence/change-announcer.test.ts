import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Flash } from "../../../sync/records/flash.ts";
import { ANNOUNCE_EVERY_MS, ChangeAnnouncer } from "./change-announcer.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createAnnouncer() {
  const said: string[] = [];
  return {
    said,
    announcer: new ChangeAnnouncer({ field: (name) => name, record: (id) => id }, (text) =>
      said.push(text),
    ),
  };
}

const flash: Flash = {
  record: "r1",
  field: "title",
  by: { kind: "user", id: "ana", name: "Ana" },
  mine: false,
};

test("announces a stream of new records at intervals, with their number then", () => {
  const { said, announcer } = createAnnouncer();
  for (let count = 1; count <= 16; count++) {
    announcer.setWaiting(count);
    vi.advanceTimersByTime(ANNOUNCE_EVERY_MS / 8);
  }
  expect(said).toEqual([
    "8 new records are waiting to be shown.",
    "16 new records are waiting to be shown.",
  ]);
});

test("announces changes and new records of the same interval in one text", () => {
  const { said, announcer } = createAnnouncer();
  announcer.addFlashes([flash]);
  announcer.setWaiting(1);
  vi.advanceTimersByTime(ANNOUNCE_EVERY_MS);
  expect(said).toEqual(["Ana changed title on r1. 1 new record is waiting to be shown."]);
  announcer.addFlashes([{ ...flash, record: "r2" }]);
  vi.advanceTimersByTime(ANNOUNCE_EVERY_MS);
  expect(said.slice(1)).toEqual(["Ana changed title on r2."]);
});

test("announces no new records that were let in meanwhile, or whose number fell", () => {
  const { said, announcer } = createAnnouncer();
  announcer.setWaiting(2);
  announcer.setWaiting(0);
  vi.advanceTimersByTime(ANNOUNCE_EVERY_MS);
  announcer.setWaiting(3);
  vi.advanceTimersByTime(ANNOUNCE_EVERY_MS);
  announcer.setWaiting(2);
  vi.advanceTimersByTime(ANNOUNCE_EVERY_MS);
  expect(said).toEqual(["3 new records are waiting to be shown."]);
});
