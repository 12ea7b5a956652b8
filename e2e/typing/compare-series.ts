import type { Sheet, Write } from "./typing-reference.ts";

/** In place of the id of a record that waits in a change set. */
const IN_CHANGE_SET = "in a change set";

type StoredRow = Readonly<Record<string, string | null>>;

/** What the page lists as not saved. */
export interface ListedText {
  record: string;
  field: string;
  text: string;
}

export interface Outcome {
  /** The records of the table, and their values as texts. */
  stored: ReadonlyMap<string, StoredRow>;
  /** Every value that a record was ever given, as `record field value`. */
  logged: ReadonlySet<string>;
  listed: readonly ListedText[];
  /** The records in change sets that their author has not applied yet: a paste of several new ones leads to its preview. */
  drafted: readonly StoredRow[];
}

/** What colleagues wrote: values by `record field`, and the records that they made. */
export interface Theirs {
  values: ReadonlyMap<string, string | null>;
  created: ReadonlySet<string>;
}

/**
 * The differences between what is stored and listed and what the reference says; none if every text is where it belongs, or listed with
 * its place, and nothing is anywhere else. A value that a colleague wrote over the typist's own, or deleted, is in the log.
 */
export function compare(
  sheet: Sheet,
  writes: readonly Write[],
  outcome: Outcome,
  theirs: Theirs,
): string[] {
  const isNew = ({ record }: Write) => record.startsWith("new ");
  return [
    ...compareDrawn(
      sheet,
      writes.filter((write) => !isNew(write)),
      outcome,
      theirs,
    ),
    ...compareNew(sheet, writes.filter(isNew), outcome, theirs),
    ...compareListed(writes, outcome),
  ];
}

/** The last text of each place. */
function lastWrites(writes: readonly Write[]): Map<string, Write> {
  return new Map(writes.map((write) => [placeOf(write), write]));
}

function placeOf({ record, field }: { record: string; field: string }): string {
  return `${record} ${field}`;
}

function compareDrawn(
  { records, values }: Sheet,
  writes: readonly Write[],
  outcome: Outcome,
  theirs: Theirs,
): string[] {
  const last = lastWrites(writes);
  const cells = records.flatMap((record) =>
    Object.keys(values.get(record) ?? {}).map((field) => ({ record, field })),
  );
  return cells.flatMap((cell) => {
    const place = placeOf(cell);
    const write = last.get(place);
    const own = writes.filter((one) => placeOf(one) === place);
    const initial = values.get(cell.record)?.[cell.field] ?? null;
    const wanted = own.findLast(({ value }) => value !== undefined)?.value ?? null;
    const expected = own.some(({ value }) => value !== undefined) ? wanted : initial;
    const stored = outcome.stored.get(cell.record);
    const value = stored?.[cell.field] ?? null;
    const isListed = write !== undefined && isListedAt(outcome, write, cell.record);
    const problems: string[] = [];
    if (write && write.value === undefined && !isListed)
      problems.push(`"${write.text}", typed into ${place}, is not listed as unsaved`);
    if (!stored || value === expected) {
      const isLogged = write?.value === null || outcome.logged.has(`${place} ${write?.value}`);
      if (!stored && write && write.value !== undefined && !isListed && !isLogged)
        problems.push(`"${write.text}", typed into ${place}, is lost: the record is gone`);
      return problems;
    }
    const isTheirs = theirs.values.has(place) && theirs.values.get(place) === value;
    const isLogged = expected === null || outcome.logged.has(`${place} ${expected}`);
    const isGone = !(cell.field in stored);
    const expectable = [initial, ...own.map((one) => one.value), theirs.values.get(place)];
    if (isListed && (isGone || expectable.includes(value))) return problems;
    if ((isTheirs || isGone) && (isLogged || !write)) return problems;
    return [
      ...problems,
      `${place} holds ${JSON.stringify(value)} instead of ${JSON.stringify(expected)}`,
    ];
  });
}

function compareNew(
  { records }: Sheet,
  writes: readonly Write[],
  outcome: Outcome,
  theirs: Theirs,
): string[] {
  const isMade = (id: string) => !records.includes(id) && !theirs.created.has(id);
  const drafted = outcome.drafted.map((row) => [IN_CHANGE_SET, row] as const);
  const made = [...[...outcome.stored].filter(([id]) => isMade(id)), ...drafted];
  const problems: string[] = [];
  // The values of a field that a colleague removed are in the log only.
  const isGone = (field: string) => [...outcome.stored.values()].every((row) => !(field in row));
  const wanted = Map.groupBy(lastWrites(writes).values(), ({ record }) => record);
  // The drafts that one of them is in.
  const claimed = new Set<string>();
  for (const [record, of] of wanted) {
    const isListed = (write: Write) => isListedAt(outcome, write, null);
    const unsaved = of.filter((write) => write.value === undefined && isListed(write));
    for (const write of of.filter((one) => one.value === undefined && !isListed(one)))
      problems.push(`"${write.text}", typed into ${placeOf(write)}, is not listed as unsaved`);
    // A text that is no value leaves what was saved in its place before.
    const saved = writes.filter((write) => write.record === record && write.value !== undefined);
    const values = Object.fromEntries(saved.map(({ field, value }) => [field, value ?? null]));
    const isEmpty = Object.values(values).every((value) => value === null);
    if (isEmpty && unsaved.length === 0) continue;
    const isSame = (row: StoredRow) =>
      Object.keys({ ...row, ...values }).every(
        (field) => isGone(field) || (row[field] ?? null) === (values[field] ?? null),
      );
    // What is listed of a record is listed with that one, and not with another new one.
    const texts = [...unsaved, ...of.filter((write) => isGone(write.field) && isListed(write))];
    const areListedWith = (id: string) => texts.every((write) => isListedAt(outcome, write, id));
    const index = made.findIndex(
      ([id, row]) => isSame(row) && (id === IN_CHANGE_SET || areListedWith(id)),
    );
    // It has no value that can be saved, or was refused because a field of it is gone.
    const mayBeDraft = isEmpty || of.some(({ field }) => isGone(field));
    const draft = mayBeDraft ? draftWith(outcome, of, claimed) : undefined;
    if (index >= 0) made.splice(index, 1);
    else if (draft !== undefined) claimed.add(draft);
    else {
      const listed = texts.map(({ text }) => `, with "${text}" listed`).join("");
      problems.push(`${record} is not there: ${JSON.stringify(values)}${listed}`);
    }
  }
  for (const [id, row] of made) {
    const values = Object.entries(row).filter(([field, value]) => value !== null && field !== "id");
    if (values.length > 0)
      problems.push(`an unknown record ${id} holds ${JSON.stringify(Object.fromEntries(values))}`);
  }
  return problems;
}

function isListedAt({ listed, stored }: Outcome, write: Write, record: string | null): boolean {
  const isGone = record !== null && !stored.has(record);
  return listed.some(
    (one) =>
      one.field === write.field &&
      isTextOf(write, one.text, isGone) &&
      (record === null || one.record === record),
  );
}

/** A deleted record has no values left: where F2 goes on with one, its editor has only what was typed. */
function isTextOf(write: Write, text: string, isGone: boolean): boolean {
  return (
    text === write.text.trim() || text === write.value || (isGone && write.text.includes(text))
  );
}

/** The id of a record that is not stored, and with which everything is listed that was typed into a new one. */
function draftWith(
  outcome: Outcome,
  writes: readonly Write[],
  claimed: ReadonlySet<string>,
): string | undefined {
  const typed = writes.filter(({ value }) => value !== null);
  const ids = new Set(outcome.listed.map(({ record }) => record));
  const free = [...ids].filter((id) => !outcome.stored.has(id) && !claimed.has(id));
  return free.find((id) => typed.every((write) => isListedAt(outcome, write, id)));
}

/** What is listed was typed there. */
function compareListed(writes: readonly Write[], { listed, stored }: Outcome): string[] {
  return listed.flatMap(({ record, field, text }) => {
    const isTyped = writes.some(
      (write) =>
        write.field === field &&
        isTextOf(write, text, write.record === record && !stored.has(record)) &&
        (write.record === record || write.record.startsWith("new ")),
    );
    const where = stored.has(record) ? record : `${record}, which is not stored`;
    return isTyped
      ? []
      : [`"${text}" is listed as unsaved in ${where}, ${field}, and was not typed there`];
  });
}
