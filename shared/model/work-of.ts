import type { Filter } from "../filter/filter.ts";
import { kindOfType } from "./field-types.ts";
import type { Field, Table } from "./model.ts";

/**
 * What a table's declaration says about work: open records, assignee, due date. States define what is open.
 * No field type defines assignee and due date, so field names do, as for the table's icon. A model with other
 * names loses a card and never shows a wrong value, because a card is drawn only for a field that was found.
 */
export interface Work {
  /** Open records. */
  open: Filter;
  /** The select field that holds the state. */
  state: Field;
  /** The assignee. */
  person?: Field;
  /** The due date. */
  due?: Field;
  /** When the record was opened. */
  started?: Field;
  /** When it was done. */
  done?: Field;
  /** Its importance, the first option being the highest. */
  level?: Field;
}

const duePattern = /\b(due|deadline|target date|needed by|required by|promised|expires?)\b/;
const startPattern =
  /\b(opened|created|ordered|reported|received|requested|raised|began|started)\b/;
const donePattern = /\b(resolved|done|completed|finished|delivered|closed|shipped)\b/;
/** The first matching name counts: a priority is derived from urgencies. */
const levelPatterns = [/\bpriority\b/, /\bseverity\b/, /\b(urgency|importance)\b/];
const ownerPattern = /\b(assignee|assigned|owner|agent|handled|responsible|worker)\b/;

/**
 * The work fields among the visible fields of a table; null if no state is open. `visible` leaves out what a
 * user may not read.
 */
export function workOf(table: Table, visible?: readonly string[]): Work | null {
  const fields = table.fields.filter(({ name }) => !visible || visible.includes(name));
  const state = fields.find(({ name }) => name === table.stateField);
  const values = openStates(table, state);
  if (!state || values.length === 0) return null;
  const moments = fields.filter(({ type }) => type === "timestamp" || type === "date");
  const instants = moments.filter(({ type }) => kindOfType[type] === "timestamp");
  const personFields = fields.filter(({ type }) => type === "person");
  const levels = fields.filter(({ type, options }) => type === "select" && options);
  return {
    open: { field: state.name, op: "in", value: values },
    state,
    ...named("person", personFields.find(nameMatches(ownerPattern)) ?? personFields[0]),
    ...named("due", moments.find(nameMatches(duePattern))),
    ...named("started", instants.find(nameMatches(startPattern))),
    ...named("done", instants.find(nameMatches(donePattern))),
    ...named(
      "level",
      levelPatterns.map((pattern) => levels.find(nameMatches(pattern))).find(Boolean),
    ),
  };
}

function openStates({ workflow }: Table, state: Field | undefined): string[] {
  const declared = workflow?.states ?? state?.options ?? [];
  return declared.filter(({ open }) => open).map(({ value }) => value);
}

/** Names are split into words: `due_at` and `dueAt` both contain "due". */
function nameMatches(pattern: RegExp) {
  return ({ name, label }: Field) =>
    pattern.test(splitWords(name)) || pattern.test(splitWords(label));
}

function splitWords(text: string): string {
  return text
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll(/[_-]/g, " ")
    .toLowerCase();
}

function named<K extends keyof Work>(key: K, field: Field | undefined): Partial<Work> {
  return field ? { [key]: field } : {};
}
