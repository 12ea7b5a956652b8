import { expect, it } from "vitest";
import { LiveView } from "../../client/package/live-view.ts";
import { createAtomStore } from "../../client/src/state/atom-store.ts";
import { WindowState } from "../../client/src/sync/window/window-state.ts";

const ALIGNMENTS_MAX = 10;

it("does not align rows again and again after the right to read them was withdrawn", async () => {
  const store = createAtomStore();
  const state = new WindowState(store);
  let alignments = 0;
  const window = {
    statusAtom: state.statusAtom,
    onRows: (callback: () => void) => state.onRows(callback),
    created: [],
    isClosed: false,
    get status() {
      return state.status;
    },
    setVisible: () => {},
    getRows: async () => ({ rows: [], rowCount: 0 }),
    // As in a table that is not followed any more: refused without a call of the server.
    realign() {
      alignments += 1;
      if (alignments > ALIGNMENTS_MAX) return;
      state.update({ phase: "refused" });
      state.reset();
    },
  };
  const session = { openWindow: () => window } as never;
  const view = new LiveView({ session, store }, {}, 10);
  await view.ready();
  state.update({ phase: "ready", displaced: 1 });
  await new Promise((resolve) => setImmediate(resolve));
  expect(alignments).toBe(1);
});
