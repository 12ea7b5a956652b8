import type { Watchfloor } from "../../client/package/index.ts";
import type { Values } from "../../shared/model/model.ts";
import { valuesOf } from "../../shared/model/pick-values.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import { type Actor, nextEdit } from "./simulated-edits.ts";

const INCIDENTS_MAX = 1_000;

/**
 * Gives a new service desk a history: every active incident gets an assignee, and many get edits, so that
 * history, blame and assignees are visible. Done once: a service desk with assignees is unchanged.
 */
export async function createHistory(
  cast: readonly { watchfloor: Watchfloor; actor: Actor }[],
): Promise<void> {
  const [first] = cast;
  if (!first) return;
  const { records } = await first.watchfloor.rest("GET /tables/{table}/records", {
    params: { table: "incidents" },
    query: { sort: ["number"], limit: INCIDENTS_MAX },
  });
  if (records.some(({ values }) => values.assignee !== null)) return;
  const shares = cast.map((one) => ({ ...one, ops: [] as WireOp[] }));
  for (const [index, { id, values }] of records.entries()) {
    const share = shares[index % shares.length] as (typeof shares)[number];
    if (values.state === "New") continue;
    const own = { ...values };
    share.ops.push(edit(id, own, { assignee: share.actor.id }));
    const simulated = nextEdit(own, share.actor);
    if (simulated?.field === "notes") share.ops.push(edit(id, own, simulated.set));
  }
  for (const { watchfloor, ops } of shares)
    await watchfloor.rest("POST /mutations", { body: { id: "past", ops } });
}

/** One edit; updates `values` accordingly. */
function edit(record: string, values: Values, set: Values): WireOp {
  const base = valuesOf(values, Object.keys(set));
  Object.assign(values, set);
  return { op: "update", table: "incidents", record, set, base };
}
