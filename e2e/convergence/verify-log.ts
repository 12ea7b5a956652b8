import type pg from "pg";
import type { StoredMutation } from "../../client/src/transport/edit-storage.ts";
import type { Values } from "../../shared/model/model.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import type { Player } from "./player.ts";
import type { Fixture } from "./player-actions.ts";

interface LogRow {
  record: string;
  mutation: string | null;
  before: Values | null;
  after: Values | null;
}

/** The log's entries for the records of a seed. */
export async function readLog(program: pg.Client, players: readonly Player[], fixture: Fixture) {
  const made = players.flatMap(({ book }) => [...book.made.values()]);
  const records = made.flatMap(({ ops }) => ops.flatMap(({ record }) => record ?? []));
  const { rows } = await program.query<LogRow>(
    `select record, mutation, before, after from watchfloor.change
     where record = any($1) order by tx, ord`,
    [[...new Set([...fixture.records, ...records])]],
  );
  return rows;
}

/** Nothing acknowledged is missing, nothing was applied twice, nothing was lost on the way. */
export async function verifyLog(player: Player, log: readonly LogRow[], fixture: Fixture) {
  const { book, made } = player;
  const rows = Map.groupBy(log, ({ mutation, record }) => `${mutation} ${record}`);
  const countOf = (mutation: string, record = "") => rows.get(`${mutation} ${record}`)?.length ?? 0;
  for (const { mutation, record, outcome } of made) {
    const count = countOf(mutation, record);
    if (!outcome || outcome.kind === "dropped") continue;
    if (count === Number(outcome.kind === "confirmed")) continue;
    throw new Error(`${mutation} on ${record}: ${JSON.stringify(outcome)}, ${count} times logged`);
  }
  for (const { id, ops } of book.made.values()) {
    const twice = ops.find(({ record }) => countOf(id, record) > 1);
    if (twice) throw new Error(`applied more than once: ${id} ${JSON.stringify(twice)}`);
  }
  verifyUniqueTexts(log, book.made, fixture);
  const logged = new Set(log.map(({ record }) => record));
  await verifyNothingLost(player, countOf, { logged, outOfReach: unreadableRecords(log) });
}

/**
 * The records that the narrow role could not read at some time. A deleted one looks the same to a user who is
 * narrowed meanwhile.
 */
function unreadableRecords(log: readonly LogRow[]): ReadonlySet<string> {
  const isLow = (values: Values | null) => values?.impact === "3 - Low";
  return new Set(
    log
      .filter(({ before, after }) => !after || isLow(before) || isLow(after))
      .map(({ record }) => record),
  );
}

/** Each word is written once, except by undo, which restores old ones. */
function verifyUniqueTexts(
  log: readonly LogRow[],
  made: ReadonlyMap<string, StoredMutation>,
  fixture: Fixture,
): void {
  const texts = new Set<unknown>();
  for (const { mutation, before, after } of log) {
    if (!mutation || made.get(mutation)?.origin !== "edit" || !after) continue;
    const fields = Object.keys(before ?? after);
    for (const text of fields.map((field) => after[field]).filter(isTextOf(fixture))) {
      if (texts.has(text)) throw new Error(`"${text}" was written twice`);
      texts.add(text);
    }
  }
}

function isTextOf({ tag }: Fixture) {
  return (value: unknown) => typeof value === "string" && value.startsWith(`${tag} `);
}

/** Every edit is in the log, or was refused and reported, or was replaced by a later one. */
async function verifyNothingLost(
  { book, made, user, lostVisibility }: Player,
  countOf: (mutation: string, record?: string) => number,
  { logged, outOfReach }: { logged: ReadonlySet<string>; outOfReach: ReadonlySet<string> },
): Promise<void> {
  const stored = await book.load(user.info.id);
  const answered = new Set([
    ...stored.map(({ id }) => id),
    ...made.flatMap(({ mutation, outcome }) => (outcome ? mutation : [])),
  ]);
  // A refused creation is a draft again, under another id and with everything written to it since; unless its
  // author has deleted it.
  const all = [...book.made.values()].flatMap(({ ops }) => ops);
  const deleted = all.flatMap((op) => (op.op === "delete" ? op.record : []));
  const unsent = new Set([...stored.map(({ draft }) => draft), ...deleted]);
  const isUnsent = (record = "") => !logged.has(record) && unsent.has(record);
  const unanswered = stored.filter(({ refusals }) => Object.keys(refusals).length === 0);
  if (unanswered.length > 0) throw new Error(`still unanswered: ${JSON.stringify(unanswered)}`);
  for (const { id, ops, origin, order } of book.made.values()) {
    if (origin === "undo" || answered.has(id) || lostVisibility === "all") continue;
    for (const op of ops) {
      if (lostVisibility === "narrow" && isUnreadable(op, outOfReach)) continue;
      if (isUnsent(op.record)) continue;
      if (countOf(id, op.record) > 0 || isSuperseded(op, order, book.made.values())) continue;
      throw new Error(`lost: ${id} ${JSON.stringify(op)}`);
    }
  }
}

/** A deletion contains no text of its author; what it did not delete is on the screen again. */
function isUnreadable(op: WireOp, records: ReadonlySet<string>): boolean {
  if (op.op === "delete") return true;
  const isLow = op.op === "update" && op.set.impact === "3 - Low";
  return isLow || (op.op === "update" && "notes" in op.set) || records.has(op.record ?? "");
}

/** Whether a later edit replaces this one; an edit without text may have changed nothing. */
function isSuperseded(op: WireOp, order: number, all: Iterable<StoredMutation>): boolean {
  const later = [...all].filter((other) => other.order > order).flatMap(({ ops }) => ops);
  // Sent again under another id, without the ops of a record whose creation was refused.
  if (op.op === "delete") return later.some((o) => o.op === "delete" && o.record === op.record);
  if (op.op !== "update") return false;
  const texts = ["title", "location", "notes"].filter((field) => Object.hasOwn(op.set, field));
  return texts.every((field) =>
    later.some((o) => o.op === "update" && o.record === op.record && Object.hasOwn(o.set, field)),
  );
}
