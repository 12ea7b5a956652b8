import {
  firstState,
  mayRead,
  mayReadHistory,
  mayReadTable,
  type RefField,
  type RefRow,
  type RefTable,
  stateOf,
  visibleFields,
} from "./reference.ts";
import type { Answer } from "./rights-world.ts";
import type { Player, SequenceContext } from "./sequence.ts";

const MARK = /v\d+q\d+z/g;

/** What calls on records share: choices at random, and the comparison of an answer with the reference. */
export class ComparedCalls {
  protected readonly context: SequenceContext;

  constructor(context: SequenceContext) {
    this.context = context;
  }

  put(table: RefTable, record: string, after: RefRow, before: RefRow | null = null): void {
    const known = table.history.get(record) ?? [];
    known.push({ before: before && new Map(before), after: new Map(after) });
    table.history.set(record, known);
    table.records.set(record, after);
  }

  randomTable(): RefTable {
    return this.context.random.pick(this.context.model.tables);
  }

  someFields(table: RefTable): RefField[] {
    const { random } = this.context;
    const first = random.pick(table.fields);
    return [...new Set([first, ...(random.next() < 0.3 ? [random.pick(table.fields)] : [])])];
  }

  readonly names = (thing: { name: string; former: string[] }): string => {
    const { random: dice } = this.context;
    return dice.next() < 0.7 ? thing.name : dice.pick([thing.name, ...thing.former]);
  };

  randomRow(fields: readonly RefField[], player?: Player): RefRow {
    const { random: dice, players } = this.context;
    const value = (field: RefField) => {
      if (field.type === "person") return dice.pick(players).actor.id;
      if (field.type === "select") return dice.pick(field.options).value;
      const mark = this.context.mark();
      player?.description.add(mark);
      return mark;
    };
    return new Map(fields.map((field) => [field, value(field)]));
  }

  /** The answer equals the reference, and contains no text that its reader may not know. */
  compare(player: Player, said: string, answer: Answer, may: boolean): void {
    const { tally } = this.context;
    const counts = answer.ok ? tally.permitted : tally.refused;
    const kind = said.split(" ")[1] ?? "";
    counts[kind] = (counts[kind] ?? 0) + 1;
    this.look(player, said, answer);
    if (answer.ok === may) return;
    this.context.fail(
      `${said}: ${may ? "allowed and refused" : "done without the right"}: ${answer.text.slice(0, 400)}`,
    );
  }

  look({ user, description: own }: Player, said: string, { text }: Answer): void {
    const marks = new Set(text.match(MARK) ?? []);
    for (const mark of marks) {
      if (own.has(mark) || this.context.model.tables.some((table) => mayKnow(user, table, mark)))
        continue;
      this.context.fail(`${said}: received ${mark} in ${text.slice(0, 600)}`);
    }
  }
}

/** Whether a text is in a field that somebody may read, or was while they could have read it. */
function mayKnow(user: Player["user"], table: RefTable, mark: string): boolean {
  if (!mayReadTable(user, table)) return false;
  const visible = visibleFields(user, table);
  const holds = (row: RefRow | null) =>
    row !== null && visible.some((field) => contentsOf(field, row).some((value) => value === mark));
  const now = [...table.records].some(
    ([id, row]) => mayRead(user, table, row) && (id === mark || holds(row)),
  );
  if (now || !mayReadHistory(user, table)) return now;
  // What is shown of a record that is gone names it.
  return [...table.history].some(([id, changes]) =>
    changes.some(({ before, after }) => {
      const isSeen = [before, after].every((row) => row === null || mayRead(user, table, row));
      return isSeen && (id === mark || holds(before) || holds(after));
    }),
  );
}

function contentsOf(field: RefField, row: RefRow): (string | undefined)[] {
  return field.made === "expression"
    ? field.inputs.map((input) => row.get(input))
    : [row.get(field)];
}

/** A new record is in the first state by default. */
export function begun(table: RefTable, row: RefRow): RefRow {
  const state = stateOf(table);
  return row.has(state) ? row : new Map([...row, [state, firstState]]);
}

export const at = (table: RefTable) => `/tables/${table.name}/records`;

export function valuesOf(
  row: RefRow,
  nameOf = ({ name }: RefField) => name,
): Record<string, string> {
  return Object.fromEntries([...row].map(([field, value]) => [nameOf(field), value]));
}
