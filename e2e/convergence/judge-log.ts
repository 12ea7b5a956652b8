import type pg from "pg";
import type { StoredMutation } from "../../client/src/transport/edit-storage.ts";
import type { Values } from "../../shared/model/model.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import type { Ground } from "./moves.ts";
import type { Player } from "./player.ts";

interface LogRow {
  record: string;
  mutation: string | null;
  before: Values | null;
  after: Values | null;
}

/** What the log says of the records of a seed. */
export async function readLog(program: pg.Client, players: readonly Player[], ground: Ground) {
  const made = players.flatMap(({ book }) => [...book.made.values()]);
  const records = made.flatMap(({ ops }) => ops.flatMap(({ record }) => record ?? []));
  const { rows } = await program.query<LogRow>(
    `select record, mutation, before, after from watchfloor.change
     where record = any($1) order by tx, ord`,
    [[...new Set([...ground.records, ...records])]],
  );
  return rows;
}

/** Nothing acknowledged is missing, nothing was applied twice, nothing was lost on the way. */
export async function judgeLog(player: Player, log: readonly LogRow[], ground: Ground) {
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
  judgeWords(log, book.made, ground);
  const logged = new Set(log.map(({ record }) => record));
  await judgeLost(player, countOf, { logged, outOfReach: unreadable(log) });
}

/**
 * The records that the narrow role could not read at some time. One that is deleted looks the same to who is
 * narrowed meanwhile.
 */
function unreadable(log: readonly LogRow[]): ReadonlySet<string> {
  const isLow = (values: Values | null) => values?.impact === "3 - Low";
  return new Set(
    log
      .filter(({ before, after }) => !after || isLow(before) || isLow(after))
      .map(({ record }) => record),
  );
}

/** Each word is written once, but for undo, which brings old ones back. */
function judgeWords(
  log: readonly LogRow[],
  made: ReadonlyMap<string, StoredMutation>,
  ground: Ground,
): void {
  const seen = new Set<unknown>();
  for (const { mutation, before, after } of log) {
    if (!mutation || made.get(mutation)?.origin !== "edit" || !after) continue;
    const fields = Object.keys(before ?? after);
    for (const word of fields.map((field) => after[field]).filter(isWordOf(ground))) {
      if (seen.has(word)) throw new Error(`"${word}" was written twice`);
      seen.add(word);
    }
  }
}

function isWordOf({ tag }: Ground) {
  return (value: unknown) => typeof value === "string" && value.startsWith(`${tag} `);
}

/** Every edit is in the log, or was refused and said so, or stood back for a later one of mine. */
async function judgeLost(
  { book, made, person, lostSight }: Player,
  countOf: (mutation: string, record?: string) => number,
  { logged, outOfReach }: { logged: ReadonlySet<string>; outOfReach: ReadonlySet<string> },
): Promise<void> {
  const kept = await book.load(person.info.id);
  const told = new Set([
    ...kept.map(({ id }) => id),
    ...made.flatMap(({ mutation, outcome }) => (outcome ? mutation : [])),
  ]);
  // A creation that was refused is a draft again, under another id and with all that was written to it since;
  // unless its author has deleted it.
  const all = [...book.made.values()].flatMap(({ ops }) => ops);
  const deleted = all.flatMap((op) => (op.op === "delete" ? op.record : []));
  const unsent = new Set([...kept.map(({ draft }) => draft), ...deleted]);
  const isUnsent = (record = "") => !logged.has(record) && unsent.has(record);
  const unanswered = kept.filter(({ refusals }) => Object.keys(refusals).length === 0);
  if (unanswered.length > 0) throw new Error(`still unanswered: ${JSON.stringify(unanswered)}`);
  for (const { id, ops, origin, order } of book.made.values()) {
    if (origin === "undo" || told.has(id) || lostSight === "all") continue;
    for (const op of ops) {
      if (lostSight === "narrow" && isUnreadable(op, outOfReach)) continue;
      if (isUnsent(op.record)) continue;
      if (countOf(id, op.record) > 0 || isFollowed(op, order, book.made.values())) continue;
      throw new Error(`lost: ${id} ${JSON.stringify(op)}`);
    }
  }
}

/** A deletion holds no words of its author; what it did not delete is on the screen again. */
function isUnreadable(op: WireOp, records: ReadonlySet<string>): boolean {
  if (op.op === "delete") return true;
  const isLow = op.op === "update" && op.set.impact === "3 - Low";
  return isLow || (op.op === "update" && "notes" in op.set) || records.has(op.record ?? "");
}

/** Whether a later edit stands in for this one; what wrote no text may have changed nothing. */
function isFollowed(op: WireOp, order: number, all: Iterable<StoredMutation>): boolean {
  const later = [...all].filter((other) => other.order > order).flatMap(({ ops }) => ops);
  // Sent again under another id, without the ops of a record whose creation was refused.
  if (op.op === "delete") return later.some((o) => o.op === "delete" && o.record === op.record);
  if (op.op !== "update") return false;
  const texts = ["title", "location", "notes"].filter((field) => Object.hasOwn(op.set, field));
  return texts.every((field) =>
    later.some((o) => o.op === "update" && o.record === op.record && Object.hasOwn(o.set, field)),
  );
}
