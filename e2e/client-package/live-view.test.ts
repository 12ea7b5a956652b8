import { expect, it } from "vitest";
import { LiveView } from "../../client/package/live-view.ts";
import { createAtom, createAtomStore } from "../../client/src/state/atom-store.ts";
import { Listeners } from "../../shared/listeners.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { until } from "../harness/until.ts";

const ALIGNMENTS_MAX = 10;

/** A row list of the sync core, as far as a live view uses it. */
function fakeRows(parts: {
  getRows: () => Promise<unknown>;
  realign: () => void;
  retryRefused?: () => void;
}) {
  const store = createAtomStore();
  const first = { phase: "loading", total: 0, waiting: 0, displaced: 0, refusal: null };
  const statusAtom = createAtom<Omit<typeof first, "refusal"> & { refusal: Refusal | null }>(first);
  const resets = new Listeners();
  const rows = {
    statusAtom,
    onRows: resets.add,
    created: [],
    isClosed: false,
    get status() {
      return store.get(statusAtom);
    },
    setVisible: () => {},
    retryRefused: () => {},
    close: () => {},
    ...parts,
  };
  return {
    update: (some: { phase: string; displaced?: number; refusal?: Refusal }) =>
      store.set(statusAtom, { ...rows.status, ...some }),
    reset: () => resets.emit(),
    ...{ store, session: { openRowList: () => rows } as never },
  };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

it("does not align rows again and again after the right to read them was withdrawn", async () => {
  let alignments = 0;
  const { update, reset, ...deps } = fakeRows({
    getRows: async () => ({ rows: [], rowCount: 0 }),
    // As in a table that is not followed any more: refused without a call of the server.
    realign() {
      alignments += 1;
      if (alignments > ALIGNMENTS_MAX) return;
      update({ phase: "refused" });
      reset();
    },
  });
  const view = new LiveView(deps, {}, 10);
  await view.ready();
  update({ phase: "ready", displaced: 1 });
  await turn();
  expect(alignments).toBe(1);
});

it("shows the rows again after a reading that failed, and does not end its program", async () => {
  let reads = 0;
  const { reset, ...deps } = fakeRows({
    getRows: async () => {
      reads += 1;
      if (reads === 2) throw new Refusal("unavailable");
      return { rows: [{ id: `row ${reads}` }], rowCount: 1 };
    },
    realign() {},
  });
  const view = new LiveView(deps, {}, 10);
  await view.ready();
  for (const expected of ["row 1", "row 3"]) {
    reset();
    await turn();
    expect(view.records.map(({ id }) => id)).toEqual([expected]);
  }
});

it("rejects where the server refuses it, instead of looking empty", async () => {
  const refusal = new Refusal("invalid_request", { at: "filter" });
  const { update, ...deps } = fakeRows({
    getRows: async () => {
      update({ phase: "refused", refusal });
      return { rows: [], rowCount: 0 };
    },
    realign() {},
  });
  const view = new LiveView(deps, {}, 10);
  await expect(view.ready()).rejects.toBe(refusal);
  const errors: Refusal[] = [];
  view.onError((error) => errors.push(error));
  expect(errors).toEqual([refusal]);
});

it("reads its records again where the server could not, and reports that once", async () => {
  const refusal = () => new Refusal("query_timeout");
  let retries = 0;
  const { update, reset, ...deps } = fakeRows({
    getRows: async () => ({ rows: [], rowCount: 0 }),
    realign() {},
    retryRefused() {
      retries += 1;
      update(retries < 2 ? { phase: "refused", refusal: refusal() } : { phase: "ready" });
    },
  });
  const view = new LiveView(deps, {}, 10);
  await view.ready();
  const errors: string[] = [];
  view.onError(({ code }) => errors.push(code));
  update({ phase: "refused", refusal: refusal() });
  await until("the records were read", 30_000, () => view.error === null);
  expect([errors, retries]).toEqual([["query_timeout"], 2]);
});

it("says that the right to its records was withdrawn, and shows them again after it was given back", async () => {
  let rows = [{ id: "a" }];
  const { update, reset, ...deps } = fakeRows({
    getRows: async () => ({ rows, rowCount: rows.length }),
    realign() {},
  });
  const view = new LiveView(deps, {}, 10);
  await view.ready();
  const errors: string[] = [];
  view.onError(({ code }) => errors.push(code));
  rows = [];
  update({ phase: "refused", refusal: new Refusal("not_found") });
  reset();
  await turn();
  expect([view.records, errors, view.error?.code]).toEqual([[], ["not_found"], "not_found"]);
  rows = [{ id: "a" }];
  update({ phase: "ready" });
  reset();
  await turn();
  expect([view.records.length, view.error]).toEqual([1, null]);
});
