import { expect, it } from "vitest";
import { LiveView } from "../../client/package/live-view.ts";
import { createAtomStore } from "../../client/src/state/atom-store.ts";
import { WindowState } from "../../client/src/sync/window/window-state.ts";
import { Refusal } from "../../shared/protocol/errors.ts";

const ALIGNMENTS_MAX = 10;

/** A window of the sync core, as far as a live view uses it. */
function fakeWindow(parts: { getRows: () => Promise<unknown>; realign: () => void }) {
  const store = createAtomStore();
  const state = new WindowState(store);
  const window = {
    statusAtom: state.statusAtom,
    onRows: (callback: () => void) => state.onRows(callback),
    created: [],
    isClosed: false,
    get status() {
      return state.status;
    },
    setVisible: () => {},
    ...parts,
  };
  return { state, store, session: { openWindow: () => window } as never };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

it("does not align rows again and again after the right to read them was withdrawn", async () => {
  let alignments = 0;
  const { state, ...deps } = fakeWindow({
    getRows: async () => ({ rows: [], rowCount: 0 }),
    // As in a table that is not followed any more: refused without a call of the server.
    realign() {
      alignments += 1;
      if (alignments > ALIGNMENTS_MAX) return;
      state.update({ phase: "refused" });
      state.reset();
    },
  });
  const view = new LiveView(deps, {}, 10);
  await view.ready();
  state.update({ phase: "ready", displaced: 1 });
  await turn();
  expect(alignments).toBe(1);
});

it("shows the rows again after a reading that failed, and does not end its program", async () => {
  let reads = 0;
  const { state, ...deps } = fakeWindow({
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
    state.reset();
    await turn();
    expect(view.records.map(({ id }) => id)).toEqual([expected]);
  }
});
