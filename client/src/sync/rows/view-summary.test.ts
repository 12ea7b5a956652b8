import { expect, it } from "vitest";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import type { Summary } from "../../../../shared/protocol/summary.ts";
import { createAtomStore } from "../../state/atom-store.ts";
import type { SummaryQuery } from "../calls/summary.ts";
import type { TableSession } from "../feed/followed-tables.ts";
import type { Touched } from "../records/flash.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { ViewSummary } from "./view-summary.ts";

const query: SummaryQuery = {
  filter: { field: "state", op: "eq", value: "New" },
  search: "",
  measures: [{ op: "sum", field: "cost" }],
  group: null,
};

const READ_MS = 40;

function opened(first = query, quietMs?: number) {
  const clock = new FakeClock(1);
  const store = createAtomStore();
  const table = {
    epoch: "e",
    seq: 10,
    phase: "live" as TableSession["phase"],
    refusal: null as Refusal | null,
  };
  let reads = 0;
  let listener = (_touched: Touched) => {};
  const session: ConstructorParameters<typeof ViewSummary>[0]["session"] = {
    get position() {
      return { epoch: table.epoch, seq: table.seq };
    },
    get phase() {
      return table.phase;
    },
    onTouched: (callback) => {
      listener = callback;
      return () => {};
    },
  };
  const read = async (): Promise<Summary> => {
    reads += 1;
    const { epoch, seq } = table;
    await new Promise<void>((resolve) => clock.after(READ_MS, resolve));
    if (table.refusal) throw table.refusal;
    return { rows: [], more: false, epoch, seq };
  };
  const summary = new ViewSummary({ session, clock, store, read, quietMs }, first);
  const change = (...fields: string[]) => {
    table.seq += 1;
    listener({ records: new Set(), flashes: [], changed: new Set(fields) });
  };
  const state = () => store.get(summary.stateAtom);
  return { clock, summary, change, state, table, reads: () => reads };
}

it("is exact once it includes the last change, and reads once for many changes", async () => {
  const { clock, change, state, reads } = opened();
  await clock.advance(100);
  expect(state().isExact).toBe(true);
  for (let index = 0; index < 50; index++) {
    change("cost");
    await clock.advance(5);
    expect(state().isExact).toBe(false);
  }
  await clock.advance(5_000);
  expect(state()).toMatchObject({ isExact: true, result: { summary: { seq: 60 } } });
  expect(reads()).toBe(2);
});

it("is not read again for changes of other fields, but for every new record", async () => {
  const { clock, change, state, reads } = opened();
  await clock.advance(100);
  change("title");
  await clock.advance(5_000);
  expect(state().isExact).toBe(true);
  expect(reads()).toBe(1);
  change("id", "title");
  expect(state().isExact).toBe(false);
  await clock.advance(5_000);
  expect(reads()).toBe(2);
});

it("takes a tenth of the time at most while changes go on", async () => {
  const { clock, change, reads } = opened();
  const seconds = 20;
  for (let index = 0; index < seconds * 50; index++) {
    change("state");
    await clock.advance(20);
  }
  expect(reads() * READ_MS).toBeLessThan(seconds * 100);
});

it("is not exact while the table is read again, nor when its first read was refused", async () => {
  const { clock, change, state, table } = opened();
  table.refusal = new Refusal("query_timeout");
  await clock.advance(100);
  expect(state()).toMatchObject({
    result: null,
    isExact: false,
    refusal: { code: "query_timeout" },
  });
  table.refusal = null;
  await clock.advance(40_000);
  expect(state()).toMatchObject({ isExact: true, refusal: null });
  table.phase = "resyncing";
  change();
  expect(state().isExact).toBe(false);
  await clock.advance(5_000);
  table.phase = "live";
  change();
  await clock.advance(5_000);
  expect(state().isExact).toBe(true);
});

it("is not exact once the table has another history, whose positions may be smaller", async () => {
  const { clock, change, state, table } = opened();
  await clock.advance(100);
  table.epoch = "restored";
  table.seq = 4;
  change();
  expect(state().isExact).toBe(false);
  await clock.advance(5_000);
  expect(state()).toMatchObject({ isExact: true, result: { summary: { epoch: "restored" } } });
});

it("reads another query at once after the one that was being read", async () => {
  const { clock, summary, state } = opened();
  await clock.advance(READ_MS / 2);
  const next = { ...query, filter: null };
  summary.setQuery(next);
  await clock.advance(2 * READ_MS);
  expect(state()).toMatchObject({ isExact: true, result: { query: next } });
});

it("shows the previous result, not as exact, until that of another query is there", async () => {
  const { clock, summary, state } = opened();
  await clock.advance(100);
  const next = { ...query, filter: null };
  summary.setQuery(next);
  expect(state()).toMatchObject({ isExact: false, result: { query } });
  await clock.advance(100);
  expect(state().result?.query).toBe(next);
  expect(state().isExact).toBe(true);
});

it("with a time of quiet is read only while changes rest", async () => {
  const { clock, change, state, reads } = opened(query, 3_000);
  await clock.advance(2_900);
  expect(reads()).toBe(0);
  await clock.advance(200);
  expect(state().isExact).toBe(true);
  for (let index = 0; index < 20; index++) {
    change("cost");
    await clock.advance(1_000);
  }
  expect(state().isExact).toBe(false);
  expect(reads()).toBe(1);
  await clock.advance(3_000);
  expect(state()).toMatchObject({ isExact: true, result: { summary: { seq: 30 } } });
  expect(reads()).toBe(2);
});

it("with a time of quiet is not read again for the same query if that takes too long", async () => {
  const { clock, change, summary, table, reads } = opened(query, 3_000);
  table.refusal = new Refusal("query_timeout");
  await clock.advance(60_000);
  change("cost");
  await clock.advance(60_000);
  expect(reads()).toBe(1);
  summary.setQuery({ ...query, filter: null });
  await clock.advance(4_000);
  expect(reads()).toBe(2);
});
