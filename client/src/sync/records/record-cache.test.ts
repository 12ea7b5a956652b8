import { describe, expect, it } from "vitest";
import type { Values } from "../../../../shared/model/model.ts";
import type { Page, WireChange } from "../../../../shared/protocol/feed.ts";
import { RecordCache } from "./record-cache.ts";

const by = { kind: "user" as const, id: "u", name: "U" };

function change(seq: number, set: Values, kind: WireChange["kind"] = "update"): WireChange {
  return { seq, kind, record: "r", set, by, at: "then" };
}

function page(seq: number, values: Values | null, epoch = "e"): Page {
  const records = values ? [{ id: "r", version: `${epoch}.1`, values }] : [];
  return { records, total: records.length, totalExact: true, seq, epoch };
}

function cacheAt(seq: number) {
  const changed: string[] = [];
  const cache = new RecordCache((id) => changed.push(id));
  cache.restart({ epoch: "e", seq }, false);
  cache.retain("r");
  return { cache, changed };
}

function put(cache: RecordCache, answer: Page): boolean {
  const records = cache.prepare(answer);
  for (const [id, record] of records ?? []) cache.put(id, record);
  return records !== null;
}

describe("the records of a table", () => {
  it("C12 are never overwritten by an older page", () => {
    const { cache } = cacheAt(10);
    const { done } = cache.beginQuery();
    put(cache, page(10, { n: 10 }));
    cache.apply([change(11, { n: 11 })], { epoch: "e", seq: 11 });
    put(cache, page(10, { n: 10 }));
    done();
    expect(cache.get("r")).toMatchObject({ values: { n: 11 }, version: "e.11" });
  });

  it("C12 are never overwritten by a change that a newer page has already", () => {
    const { cache } = cacheAt(10);
    put(cache, page(13, { n: 13 }));
    cache.apply([change(11, { n: 11 }), change(12, { n: 12 })], { epoch: "e", seq: 12 });
    expect(cache.get("r")?.values).toEqual({ n: 13 });
    cache.apply([change(14, { m: 1 })], { epoch: "e", seq: 14 });
    expect(cache.get("r")?.values).toEqual({ n: 13, m: 1 });
  });

  it("C12 are never overwritten by a page that is older than another one", () => {
    const { cache } = cacheAt(10);
    const { done } = cache.beginQuery();
    put(cache, page(13, { n: 13 }));
    put(cache, page(11, { n: 11 }));
    expect(cache.get("r")?.values).toEqual({ n: 13 });
    done();
  });

  it("C12 come back to life only by what is newer than their end", () => {
    const { cache } = cacheAt(10);
    const { done } = cache.beginQuery();
    put(cache, page(10, { n: 10 }));
    cache.apply([change(11, {}, "delete")], { epoch: "e", seq: 11 });
    put(cache, page(10, { n: 10 }));
    expect(cache.get("r")).toMatchObject({ deleted: true, values: {} });
    cache.apply([change(12, { n: 12 }, "insert")], { epoch: "e", seq: 12 });
    expect(cache.get("r")).toMatchObject({ deleted: false, values: { n: 12 } });
    done();
  });

  it("C13 of a page older than the stream get the changes that came meanwhile", () => {
    const { cache } = cacheAt(10);
    const { done } = cache.beginQuery();
    cache.apply([change(11, { n: 11 }), change(12, { m: 12 })], { epoch: "e", seq: 12 });
    expect(put(cache, page(11, { n: 11, m: 0 }))).toBe(true);
    done();
    expect(cache.get("r")?.values).toEqual({ n: 11, m: 12 });
  });

  it("C13 of a page that can't be brought up to the stream are not taken", () => {
    const { cache } = cacheAt(10);
    cache.apply([change(11, { n: 11 })], { epoch: "e", seq: 11 });
    expect(put(cache, page(10, { n: 10 }))).toBe(false);
    expect(put(cache, page(11, { n: 10 }, "other"))).toBe(false);
    expect(cache.get("r")).toBeUndefined();
  });

  it("C13 of a page asked for before the stream began anew are known for that", () => {
    const { cache } = cacheAt(10);
    const running = cache.beginQuery();
    cache.restart({ epoch: "e", seq: 12 }, true);
    expect(running.isCurrent()).toBe(false);
    running.done();
  });

  it("C13 of a page from before a break in the stream are not taken, whatever else is being read", () => {
    const { cache } = cacheAt(10);
    const early = cache.beginQuery();
    cache.restart({ epoch: "e", seq: 12 }, false);
    const { done } = cache.beginQuery();
    expect(put(cache, page(11, { n: 11 }))).toBe(false);
    expect(put(cache, page(12, { n: 12 }))).toBe(true);
    early.done();
    done();
  });

  it("C9 lose their values at once when the scope has changed", () => {
    const { cache, changed } = cacheAt(10);
    put(cache, page(10, { n: 10 }));
    cache.restart({ epoch: "e", seq: 12 }, true);
    expect(cache.get("r")).toMatchObject({ values: {}, stale: true });
    expect(changed.at(-1)).toBe("r");
    put(cache, page(12, { m: 1 }));
    expect(cache.get("r")).toMatchObject({ values: { m: 1 }, stale: false });
  });

  it("C10 stay as they were until they are read anew", () => {
    const { cache } = cacheAt(10);
    put(cache, page(10, { n: 10 }));
    cache.restart({ epoch: "f", seq: 2 }, false);
    expect(cache.get("r")?.values).toEqual({ n: 10 });
    expect(cache.staleIds()).toEqual(["r"]);
    cache.markDeleted("r", 2);
    expect(cache.get("r")).toMatchObject({ deleted: true, values: {} });
  });

  it("C10 are not buried by a reading older than their return", () => {
    const { cache } = cacheAt(10);
    cache.apply([change(12, { n: 12 }, "insert")], { epoch: "e", seq: 12 });
    cache.markDeleted("r", 11);
    expect(cache.get("r")?.values).toEqual({ n: 12 });
  });

  it("C14 are held only as long as somebody retains them", () => {
    const { cache } = cacheAt(10);
    cache.retain("r");
    put(cache, page(10, { n: 10 }));
    cache.release("r");
    expect(cache.size).toBe(1);
    cache.release("r");
    expect(cache.size).toBe(0);
    cache.apply([change(11, { n: 11 }, "insert")], { epoch: "e", seq: 11 });
    expect(cache.size).toBe(0);
  });
});
