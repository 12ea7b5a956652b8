import { describe, expect, it } from "vitest";
import type { ActivityEntry } from "../../../../shared/protocol/records.ts";
import type { SecurityEvent } from "../../../../shared/protocol/security-events.ts";
import type { ChangePage } from "../../sync/calls/change-log.ts";
import { timelineRows, withNewest, withRecent } from "./group-changes.ts";

const mara = { kind: "user", id: "mara", name: "Mara" } as const;

const change = (seq: number, more: Partial<ActivityEntry> = {}): ActivityEntry => ({
  seq,
  table: "services",
  record: `r${seq}`,
  kind: "update",
  by: mara,
  at: `2026-11-20T10:00:${String(seq).padStart(2, "0")}Z`,
  fields: {},
  ...more,
});

const event = (id: string, second: number) =>
  ({ id, at: `2026-11-20T10:00:${String(second).padStart(2, "0")}Z` }) as SecurityEvent;

const keys = (rows: ReturnType<typeof timelineRows>) =>
  rows.map((row) => (row.kind === "event" ? row.event.id : row.entries.map(({ seq }) => seq)));

describe("the rows of the timeline", () => {
  it("join consecutive changes of one kind that one change set or one edit made", () => {
    const rows = timelineRows(
      [
        change(9, { changeSet: "a" }),
        change(8, { changeSet: "a" }),
        change(7, { changeSet: "a", kind: "insert" }),
        change(6, { mutation: "m" }),
        change(5, { mutation: "m" }),
        change(4),
        change(3),
      ],
      [],
      false,
    );
    expect(keys(rows)).toEqual([[9, 8], [7], [6, 5], [4], [3]]);
  });

  it("order security events among the changes by time", () => {
    const rows = timelineRows([change(9), change(5)], [event("x", 7), event("y", 1)], false);
    expect(keys(rows)).toEqual([[9], "x", [5], "y"]);
  });

  it("mark the last group as partial while older changes are not loaded", () => {
    const entries = [change(9, { changeSet: "a" }), change(8, { changeSet: "b" })];
    const partial = (hasOlder: boolean) =>
      timelineRows(entries, [], hasOlder).map((row) => row.kind === "changes" && row.isPartial);
    expect(partial(true)).toEqual([false, true]);
    expect(partial(false)).toEqual([false, false]);
  });
});

describe("the newest page", () => {
  const seqs = (page: ChangePage | null) => page?.items.map(({ seq }) => seq);
  const held: ChangePage = { items: [change(3), change(2), change(1)], next: "1" };

  it("replaces the newest loaded changes, so that changes that are no longer visible disappear", () => {
    const page = withNewest(held, { items: [change(5), change(4), change(2)], next: "2" });
    expect(seqs(page)).toEqual([5, 4, 2, 1]);
    expect(page.next).toBe("1");
  });

  it("replaces all loaded changes if some in between are missing, or if it holds everything", () => {
    const far = { items: [change(9), change(8)], next: "8" };
    expect(withNewest(held, far)).toBe(far);
    const whole = { items: [change(4)], next: null };
    expect(withNewest(held, whole)).toBe(whole);
    expect(withNewest(held, { items: [], next: "8" })).toBe(held);
  });

  it("drops older changes once enough newer ones have come, and older ones go on from there", () => {
    const newest = (head: number): ChangePage => ({
      items: Array.from({ length: 50 }, (_, index) => change(head - index)),
      next: String(head - 49),
    });
    let page = withNewest(newest(50), newest(50));
    for (let head = 80; head < 5_000; head += 30) {
      page = withNewest(page, newest(head));
      const [first, last] = [page.items[0]?.seq ?? 0, page.items.at(-1)?.seq ?? 0];
      expect(first).toBe(head);
      expect(first - last).toBe(page.items.length - 1);
      expect(page.items.length).toBeLessThan(600);
      expect(page.items.length).toBeGreaterThanOrEqual(Math.min(head, 500));
      expect(page.next).toBe(String(last));
    }
  });

  it("keeps older changes that were asked for until then", () => {
    const items = Array.from({ length: 400 }, (_, index) => change(400 - index));
    const page = withNewest({ items, next: "1" }, { items: items.slice(0, 50), next: "351" });
    expect(page).toMatchObject({ items, next: "1" });
  });

  it("is put in front of them if it holds the newer changes", () => {
    const page = withRecent(held, { items: [change(4), change(3)], next: null });
    expect(seqs(page)).toEqual([4, 3, 2, 1]);
    expect(seqs(withRecent(held, { items: [change(4), change(3)], next: "3" }))).toEqual([
      4, 3, 2, 1,
    ]);
    expect(withRecent(held, { items: [change(9), change(8)], next: "8" })).toBeNull();
    expect(seqs(withRecent(held, { items: [], next: "8" }))).toEqual([3, 2, 1]);
  });
});
