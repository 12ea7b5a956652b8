import type { SeededRandom } from "../../convergence/seeded-random.ts";
import {
  firstState,
  type RefField,
  type RefRow,
  type RefTable,
  stateOf,
  transitions,
} from "./reference.ts";
import type { RightsWorld } from "./rights-world.ts";

/** The tables of a sequence, and every way in which their model changes under the grants. */

const tableNames = ["alpha", "beta", "gamma", "delta"];
/** Of the changes of a model with removed tables. */
const RESTORES = 0.3;
const fieldNames = ["title", "secret", "team", "owner", "level", "sum", "north", "south"];

function newField(name: string, type: RefField["type"], more: Partial<RefField> = {}): RefField {
  return { name, former: [], type, inputs: [], made: null, options: [], id: newId(), ...more };
}

export function newTable(name: string): RefTable {
  const secret = newField("secret", "text");
  const team = newField("team", "select", { options: newOptions() });
  const fields = [
    newField("title", "text"),
    secret,
    team,
    newField("owner", "person"),
    newField("level", "text", { inputs: [team], made: "derive" }),
    newField("sum", "longText", { inputs: [secret], made: "expression" }),
    newField("stage", "select", { made: "state", options: newStates() }),
  ];
  return { name, former: [], fields, records: new Map(), history: new Map(), id: newId() };
}

/** Without an identity of its own a new table or field would be mistaken for the published one of its name. */
const newId = () => crypto.randomUUID();

const newStates = () => transitions.map(({ from }) => ({ value: from, former: [] }));
const newOptions = () => ["a", "b", "c"].map((value) => ({ value, former: [] }));

/** A field whose value was made of something else than now, and of what: it stays hidden from those who might not see that. */
export interface FreedField {
  table: RefTable;
  field: RefField;
  inputs: readonly RefField[];
}

/** One change: the new tables, to be filled, the restored ones, and the fields that are computed no longer. */
interface ModelChange {
  description: string;
  made: RefTable[];
  restored: RefTable[];
  freed: readonly FreedField[];
}

export class ChangingModel {
  tables: RefTable[] = [];
  /** Removed tables, which may be restored: grants on them apply again. */
  readonly removed: RefTable[] = [];
  readonly #world: RightsWorld;
  readonly #random: SeededRandom;
  #versions = 0;
  #freed: FreedField[] = [];

  constructor(world: RightsWorld, random: SeededRandom) {
    this.#world = world;
    this.#random = random;
  }

  /** Replaces the published tables by these; learns the identities of new ones. */
  async publish(): Promise<void> {
    const { owner } = this.#world;
    const { version } = (await owner.rest("GET", "/model")).body;
    const document = { version, tables: this.tables.map(describeTable) };
    const saved = await owner.rest("PUT", "/model?confirm=lossy", document);
    if (!saved.ok) throw new Error(`The model was refused: ${saved.text}`);
    const { body } = await owner.rest("GET", "/model");
    const published = body.tables as {
      id: string;
      name: string;
      fields: { id: string; name: string }[];
    }[];
    for (const table of this.tables) {
      const found = published.find(({ name }) => name === table.name);
      table.id = found?.id ?? table.id;
      for (const field of table.fields) {
        field.id = found?.fields.find(({ name }) => name === field.name)?.id ?? field.id;
      }
    }
  }

  /** One random change of the model. */
  async change(): Promise<ModelChange> {
    const random = this.#random;
    const table = random.pick(this.tables);
    const edits = {
      renameTable: () => this.#call(table, this.tables, this.#unused(tableNames, this.tables)),
      swapTables: () => this.#swap(this.tables[0], this.tables[1], this.tables),
      renameField: () =>
        this.#call(random.pick(table.fields), table.fields, this.#unused(fieldNames, table.fields)),
      swapFields: () => this.#swap(table.fields[0], table.fields[1], table.fields),
      renameOption: () => this.#renameOption(table),
      retype: () => {
        const [, secret] = table.fields as [RefField, RefField];
        secret.type = secret.type === "text" ? "longText" : "text";
      },
      replaceField: () => this.#replaceField(table),
      recompute: () => this.#recompute(table),
      free: () => this.#free(table),
      replaceTable: () => this.#replaceTable(table),
      restoreTable: () => this.#restoreTable(table),
    };
    const restores = this.removed.length > 0 && random.next() < RESTORES;
    const kinds = Object.keys(edits) as (keyof typeof edits)[];
    const description = restores ? "restoreTable" : random.pick(kinds);
    const before = [...this.tables];
    this.#freed = [];
    await edits[description]();
    await this.publish();
    const added = this.tables.filter((one) => !before.includes(one));
    const isRestored = ({ history }: RefTable) => history.size > 0;
    const made = added.filter((one) => !isRestored(one));
    return { description, made, restored: added.filter(isRestored), freed: this.#freed };
  }

  #unused(names: readonly string[], taken: readonly { name: string }[]): string {
    return this.#random.pick(names.filter((name) => !taken.some((one) => one.name === name)));
  }

  /** Renames something; a name that is in use is nobody's former one. */
  #call(
    thing: { name: string; former: string[] },
    among: { former: string[] }[],
    name: string,
  ): void {
    thing.former.push(thing.name);
    thing.name = name;
    for (const one of among) one.former = one.former.filter((former) => former !== name);
  }

  #swap<Thing extends { name: string; former: string[] }>(
    a: Thing | undefined,
    b: Thing | undefined,
    among: Thing[],
  ): void {
    if (!a || !b) return;
    [a.name, b.name] = [b.name, a.name];
    for (const one of among) {
      one.former = one.former.filter((former) => former !== a.name && former !== b.name);
    }
  }

  #renameOption(table: RefTable): void {
    const field = table.fields.find(({ type, made }) => type === "select" && made === null);
    const option = field && this.#random.pick(field.options);
    if (!field || !option) return;
    const was = option.value;
    option.former.push(was);
    option.value = `o${++this.#versions}`;
    for (const row of rowsOf(table)) if (row.get(field) === was) row.set(field, option.value);
  }

  /** Removes a field and creates another of its name, in one step or in two. */
  async #replaceField(table: RefTable): Promise<void> {
    const field = this.#random.pick(table.fields.filter(({ made }) => made === null).slice(1));
    const at = table.fields.indexOf(field);
    const options = field.options.length > 0 ? newOptions() : [];
    const next = newField(field.name, field.type, { options });
    const readers = table.fields.filter(({ inputs }) => inputs.includes(field));
    for (const row of rowsOf(table)) row.delete(field);
    if (readers.length === 0 && this.#random.next() < 0.5) {
      table.fields.splice(at, 1);
      await this.publish();
      table.fields.splice(at, 0, next);
    } else table.fields.splice(at, 1, next);
    for (const reader of readers) {
      reader.inputs = [next];
      // A derived field keeps its past, which was made of the field that went; a computed one begins another.
      if (reader.made === "derive") this.#freed.push({ table, field: reader, inputs: [field] });
    }
  }

  /** Computes a field from another text, or the same. */
  #recompute({ fields }: RefTable): void {
    const computed = fields.find(({ made }) => made === "expression");
    const texts = fields.filter(
      ({ type, made }) => made === null && type.toLowerCase().endsWith("text"),
    );
    if (computed) computed.inputs = [this.#random.pick(texts)];
  }

  /** Lets users fill a computed field, which holds what was computed. */
  #free(table: RefTable): void {
    const field = table.fields.find(({ made }) => made === "expression");
    if (!field) return;
    const { inputs } = field;
    for (const row of rowsOf(table)) {
      const value = inputs.map((input) => row.get(input)).find((one) => one !== undefined);
      if (value !== undefined) row.set(field, value);
    }
    Object.assign(field, { made: null, inputs: [] });
    this.#freed.push({ table, field, inputs });
  }

  #replaceTable(table: RefTable): Promise<void> {
    return this.#exchange(table, newTable(this.#random.pick([table.name, ...table.former])));
  }

  /** A removed table takes the place of another one, without its records, under any name that is free. */
  async #restoreTable(table: RefTable): Promise<void> {
    const restored = this.#random.pick(this.removed);
    if (!restored) return this.#replaceTable(table);
    this.removed.splice(this.removed.indexOf(restored), 1);
    const others = this.tables.filter((one) => one !== table);
    restored.former.length = 0;
    for (const field of restored.fields) field.former = [];
    this.#call(restored, others, this.#unused(tableNames, others));
    restored.former.length = 0;
    await this.#exchange(table, restored);
  }

  /** Removes a table and adds another, in one step or in two. */
  async #exchange(table: RefTable, next: RefTable): Promise<void> {
    const at = this.tables.indexOf(table);
    for (const [record, before] of table.records) {
      table.history.get(record)?.push({ before, after: null });
    }
    table.records.clear();
    this.removed.push(table);
    this.tables.splice(at, 1);
    if (this.#random.next() < 0.5) await this.publish();
    this.tables.splice(at, 0, next);
  }
}

function rowsOf(table: RefTable): RefRow[] {
  const historyEntries = [...table.history.values()].flat();
  return [
    ...table.records.values(),
    ...historyEntries.flatMap(({ before, after }) => [before, after]),
  ].filter((row) => row !== null);
}

function describeTable(table: RefTable) {
  const [title] = table.fields as [RefField];
  return {
    ...(table.id !== null && { id: table.id }),
    name: table.name,
    label: table.name,
    recordLabel: "record",
    display: title.name,
    columns: [title.name],
    sort: [],
    fields: table.fields.map(describeField),
    stateField: stateOf(table).name,
    workflow: {
      states: newStates().map(({ value }) => ({ value, open: value === firstState })),
      transitions: transitions.map((one) => ({ ...one, label: one.name, from: [one.from] })),
    },
  };
}

function describeField(field: RefField) {
  const { id, name, type, inputs, made, options } = field;
  const [input] = inputs;
  const keys = (input?.options ?? []).map(({ value }) => [value, `level of ${value}`]);
  return {
    ...(id !== null && { id }),
    name,
    label: name,
    type,
    ...(options.length > 0 && {
      options: options.map(({ value, former }) => ({
        value,
        ...(former.length > 0 && { formerly: former }),
      })),
    }),
    ...(made === "derive" &&
      input && { derive: { fields: [input.name], values: Object.fromEntries(keys) } }),
    ...(made === "expression" && input && { expression: `${input.name} & "!"` }),
  };
}
