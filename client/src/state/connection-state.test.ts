import { expect, it } from "vitest";
import { createAtomStore } from "./atom-store.ts";
import { type ConnectionKind, connectionAtom, onReturn } from "./connection-state.ts";

const away: ConnectionKind[] = ["reconnecting", "offline", "blocked", "catchingUp", "signedOut"];

it.each<[string, (readonly [ConnectionKind, boolean?])[], number]>([
  [
    "once for each return",
    [...away, "live", ...away, "live"].map((kind) => [kind as ConnectionKind]),
    2,
  ],
  ["after a first attempt that failed", [["connecting", true], ["connecting"], ["live"]], 1],
  ["not for the first connection", [["connecting"], ["live"], ["live"]], 0],
])("says that model or rights may have changed unheard: %s", (_, kinds, calls) => {
  const store = createAtomStore();
  let called = 0;
  const stop = onReturn(store, () => {
    called += 1;
  });
  for (const [kind, hasFailed = false] of kinds) {
    const state = store.get(connectionAtom);
    store.set(connectionAtom, { ...state, kind, retryAt: hasFailed ? 1 : null });
  }
  stop();
  expect(called).toBe(calls);
});
