import { setTimeout as sleep } from "node:timers/promises";
import type { RecordView } from "../../client/src/state/record-view.ts";
import { presenceAtom } from "../../client/src/state/table-state.ts";
import type { ClientCore } from "../../client/src/sync/client-core.ts";
import { findTable, type Table } from "../../shared/model/model.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { commit } from "./commit.ts";
import { type Actor, newIncident, nextDeed } from "./deeds.ts";
import type { DemoPerson } from "./person.ts";

const TABLE = "incidents";
/** The rows that a newcomer sees first: work happens there, so that it is seen. */
const ROWS_LOOKED_AT = 24;
const LOOK_AGAIN_EVERY_DEEDS = 6;
/** New incidents come now and then, and faster when the room runs out of work. */
const NEW_INCIDENT_PERCENT = { busy: 4, idle: 30 };
const BUSY_FROM_OPEN = 12;

/**
 * Works until told to stop: looks at a record, puts the cursor into a field, writes for a while,
 * commits by the same core and socket as any browser. Never where a person is.
 */
export async function work(person: DemoPerson, actor: Actor, signal: AbortSignal): Promise<void> {
  const { core, store } = person.open();
  const session = core.openTable(TABLE);
  const view = session.openWindow({ filter: null, sort: ["-opened_at"], search: "" });
  core.start();
  const table = findTable(person.model, TABLE);
  if (!table) throw new Error("There is no table of incidents.");
  const rest = (ms: number) => sleep(ms, undefined, { signal });
  const isTaken = (record: string) =>
    store.get(presenceAtom(TABLE)).some((p) => p.record === record && p.id !== person.user.id);
  for (let deeds = 0; !signal.aborted; deeds += 1) {
    try {
      await rest(800 + actor.random.below(4_200));
      if (deeds % LOOK_AGAIN_EVERY_DEEDS === 0) view.realign();
      const { rows } = await view.getRows(0, ROWS_LOOKED_AT);
      await act({ core, table, actor, rows: rows.filter(isOpen), isTaken, rest });
    } catch (error) {
      // A busy machine may let a call time out: the next one will do. A stop ends the loop.
      if (!signal.aborted && !(error instanceof Refusal)) throw error;
    }
  }
  await core.stop();
}

interface Turn {
  core: ClientCore;
  table: Table;
  actor: Actor;
  rows: readonly RecordView[];
  isTaken(record: string): boolean;
  rest(ms: number): Promise<unknown>;
}

async function act({ core, table, actor, rows, isTaken, rest }: Turn): Promise<void> {
  const { random } = actor;
  const load = rows.length < BUSY_FROM_OPEN ? "idle" : "busy";
  if (random.chance(NEW_INCIDENT_PERCENT[load])) {
    core.edits.create(TABLE, newIncident(actor));
    return;
  }
  const row = random.pick(rows.filter(({ id }) => !isTaken(id)));
  const deed = row && nextDeed(row.values, actor);
  if (!row || !deed) return;
  const at = { record: row.id, field: deed.field };
  core.presence.set(TABLE, { ...at, mode: "viewing" });
  await rest(500 + random.below(900));
  core.presence.set(TABLE, { ...at, mode: "editing" });
  await rest(deed.typingMs);
  const taken = commit(core.edits, table, row, deed.set);
  if (!taken) return;
  core.presence.set(TABLE, { ...at, mode: "viewing" });
  const outcome = await taken.outcome;
  if (outcome.kind === "refused") for (const ref of taken.refs) core.edits.drop(ref);
}

function isOpen(row: RecordView): boolean {
  return row.mark !== "deleted" && row.values.state !== "Closed" && row.pending === null;
}
