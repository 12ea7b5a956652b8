import { connectionAtom } from "../state/connection-state.ts";
import { store } from "../state/store.ts";
import { rest } from "../transport/rest/rest.ts";

const INTERVAL_MS = 60_000;

/** Prevents the idle end of the session while the user does something: what an open page reads by itself does not. */
export function noteActivity(): void {
  let notedAt = performance.now();
  const note = () => {
    const isDue = performance.now() - notedAt >= INTERVAL_MS;
    if (!isDue || store.get(connectionAtom).kind !== "live") return;
    notedAt = performance.now();
    rest("GET /session").catch(() => undefined);
  };
  for (const event of ["pointerup", "keydown"]) addEventListener(event, note, { capture: true });
}
