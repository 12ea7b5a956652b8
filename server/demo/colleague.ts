import { setTimeout as sleep } from "node:timers/promises";
import type { RecordView } from "../../client/src/state/record-view.ts";
import { presenceAtom } from "../../client/src/state/table-state.ts";
import type { ClientCore } from "../../client/src/sync/client-core.ts";
import { findTable, type Table } from "../../shared/model/model.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { commit } from "./commit.ts";
import type { DemoUser } from "./demo-user.ts";
import { type Actor, mayBeClosed, newIncident, nextEdit } from "./simulated-edits.ts";

const TABLE = "incidents";
/** The rows that a newcomer sees first: the simulated work happens there. */
const ROWS_LOADED = 40;
const REALIGN_EVERY_EDITS = 6;
/** New incidents are created about once a minute, and faster when there is no work left. */
const NEW_INCIDENT_PERCENT = { busy: 2, idle: 30 };
const BUSY_FROM_OPEN = 12;

/**
 * Works until stopped: opens a record, puts the cursor into a field, types for a while, and commits by the
 * same core and socket as any browser. Avoids records that real users are on.
 */
export async function simulateColleague(
  demoUser: DemoUser,
  actor: Actor,
  signal: AbortSignal,
): Promise<void> {
  const { core, store } = demoUser.open();
  const session = core.openTable(TABLE);
  const view = session.openWindow({ filter: null, sort: ["-opened_at"], search: "" });
  core.start();
  const table = findTable(demoUser.model, TABLE);
  if (!table) throw new Error("There is no table of incidents.");
  const pause = (ms: number) => sleep(ms, undefined, { signal });
  const isTaken = (record: string) =>
    store.get(presenceAtom(TABLE)).some((p) => p.record === record && p.id !== demoUser.user.id);
  for (let editCount = 0; !signal.aborted; editCount += 1) {
    try {
      await pause(1_500 + actor.random.below(6_500));
      if (editCount % REALIGN_EVERY_EDITS === 0) view.realign();
      const { rows } = await view.getRows(0, ROWS_LOADED);
      await performEdit({ core, table, actor, rows: rows.filter(isOpen), isTaken, pause });
    } catch (error) {
      // A busy machine may let a call time out: the next one will do. A stop ends the loop.
      if (!signal.aborted && !(error instanceof Refusal)) throw error;
    }
  }
  await core.stop();
}

interface ActionContext {
  core: ClientCore;
  table: Table;
  actor: Actor;
  rows: readonly RecordView[];
  isTaken(record: string): boolean;
  pause(ms: number): Promise<unknown>;
}

async function performEdit({
  core,
  table,
  actor,
  rows,
  isTaken,
  pause,
}: ActionContext): Promise<void> {
  const { random } = actor;
  const load = rows.length < BUSY_FROM_OPEN ? "idle" : "busy";
  if (random.chance(NEW_INCIDENT_PERCENT[load])) {
    core.edits.create(TABLE, newIncident(actor));
    return;
  }
  const row = random.pick(rows.filter(({ id }) => !isTaken(id)));
  const simulated = row && nextEdit(row.values, actor);
  if (!row || !simulated) return;
  const at = { record: row.id, field: simulated.field };
  core.presence.set(TABLE, { ...at, mode: "viewing" });
  await pause(500 + random.below(900));
  core.presence.set(TABLE, { ...at, mode: "editing" });
  await pause(simulated.typingMs);
  const taken = commit(core.edits, table, row, simulated.set);
  if (!taken) return;
  core.presence.set(TABLE, { ...at, mode: "viewing" });
  const outcome = await taken.outcome;
  if (outcome.kind === "refused") for (const ref of taken.refs) core.edits.drop(ref);
}

function isOpen({ mark, pending, values }: RecordView): boolean {
  if (mark === "deleted" || pending !== null || values.state === "Closed") return false;
  return values.state !== "Resolved" || mayBeClosed(values, new Date());
}
