import { setTimeout as sleep } from "node:timers/promises";
import {
  type Presence,
  type TableRecord,
  type Watchfloor,
  WatchfloorError,
} from "../../client/package/index.ts";
import { findTable, type Table } from "../../shared/model/model.ts";
import { commit, type Incidents } from "./commit.ts";
import { type Actor, mayBeClosed, newIncident, nextEdit } from "./simulated-edits.ts";

const TABLE = "incidents";
/** The rows that a newcomer sees first: the simulated work happens there. */
const ROWS_LOADED = 40;
/** New incidents are created about once a minute, and faster when there is no work left. */
const NEW_INCIDENT_PERCENT = { busy: 2, idle: 30 };
const BUSY_FROM_OPEN = 12;

/**
 * Works until stopped: opens a record, puts the cursor into a field, types for a while, and commits, by the client
 * package as any other program. Avoids records that real users are on.
 */
export async function simulateColleague(
  watchfloor: Watchfloor,
  actor: Actor,
  signal: AbortSignal,
): Promise<void> {
  const table = findTable(watchfloor.model, TABLE);
  if (!table) throw new Error("There is no table of incidents.");
  const incidents = watchfloor.table(TABLE);
  const view = incidents.live({ sort: ["-opened_at"] }, ROWS_LOADED);
  const presence = incidents.presence();
  const isTaken = (record: string) =>
    presence.users.some((other) => other.record === record && other.id !== watchfloor.user.id);
  const pause = (ms: number) => sleep(ms, undefined, { signal });
  while (!signal.aborted) {
    try {
      await pause(1_500 + actor.random.below(6_500));
      if (view.records.length === 0) await view.ready();
      const rows = view.records.filter(isOpen);
      await performEdit({ incidents, presence, table, actor, rows, isTaken, pause });
    } catch (error) {
      // Somebody may have been faster, or a busy machine may let a call time out. A stop ends the loop.
      if (!signal.aborted && !(error instanceof WatchfloorError)) throw error;
    }
  }
  await watchfloor.close();
}

interface ActionContext {
  incidents: Incidents;
  presence: Presence;
  table: Table;
  actor: Actor;
  rows: readonly TableRecord[];
  isTaken(record: string): boolean;
  pause(ms: number): Promise<unknown>;
}

async function performEdit({
  incidents,
  presence,
  table,
  actor,
  rows,
  isTaken,
  pause,
}: ActionContext): Promise<void> {
  const { random } = actor;
  const load = rows.length < BUSY_FROM_OPEN ? "idle" : "busy";
  if (random.chance(NEW_INCIDENT_PERCENT[load])) {
    await incidents.create(newIncident(actor));
    return;
  }
  const row = random.pick(rows.filter(({ id }) => !isTaken(id)));
  const simulated = row && nextEdit(row.values, actor);
  if (!row || !simulated) return;
  const at = { record: row.id, field: simulated.field };
  presence.set(at);
  await pause(500 + random.below(900));
  presence.set({ ...at, mode: "editing" });
  await pause(simulated.typingMs);
  const saved = commit(incidents, table, row, simulated.set);
  presence.set(at);
  await saved;
}

function isOpen({ values }: TableRecord): boolean {
  if (values.state === "Closed") return false;
  return values.state !== "Resolved" || mayBeClosed(values, new Date());
}
