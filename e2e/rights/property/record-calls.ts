import { at, begun, ComparedCalls, valuesOf } from "./compared-calls.ts";
import {
  firstState,
  mayCreate,
  mayDelete,
  mayRead,
  mayReadHistory,
  mayRestore,
  mayRun,
  mayUpdate,
  type RefTable,
  stateOf,
  transitions,
  visibleFields,
} from "./reference.ts";
import type { Answer } from "./rights-world.ts";
import type { Player } from "./sequence.ts";

/** Reads and writes of records, each compared with what the reference allows. */
export class RecordCalls extends ComparedCalls {
  /** The owner makes records. */
  async fill(table: RefTable, count: number): Promise<void> {
    const ops = Array.from({ length: count }, (_, at) => {
      const row = this.randomRow(table.fields.filter(({ made }) => made === null));
      const record = `r${at}`;
      this.put(table, record, begun(table, row));
      return { op: "create", table: table.name, record, values: valuesOf(row) };
    });
    const id = crypto.randomUUID();
    const { text } = await this.context.world.owner.rest("POST", "/mutations", { id, ops });
    if (text.includes('"ok":false')) this.context.fail(`the owner's records were refused: ${text}`);
  }

  async readPage(player: Player): Promise<string> {
    const { random } = this.context;
    const table = this.randomTable();
    const sort = random.pick(table.fields);
    const bySocket = random.next() < 0.5;
    const call = {
      table: table.name,
      filter: null,
      sort: [sort.name],
      search: "",
      offset: 0,
      limit: 100,
    };
    const answer = await (bySocket
      ? player.actor.socket("query", call)
      : player.actor.rest("GET", `${at(table)}?limit=100&sort=${sort.name}`));
    const description = `${player.actor.id} reads ${table.name} by ${sort.name}`;
    const visible = visibleFields(player.user, table);
    this.compare(player, description, answer, visible.includes(sort));
    if (!answer.ok) return description;
    const records = answer.body.records as { id: string; values: Record<string, unknown> }[];
    const expected = [...table.records].filter(([, row]) => mayRead(player.user, table, row));
    const ids = (list: string[]) => JSON.stringify(list.sort());
    if (ids(records.map(({ id }) => id)) !== ids(expected.map(([id]) => id))) {
      this.context.fail(
        `${description}: got ${records.map(({ id }) => id)}, not ${expected.map(([id]) => id)}`,
      );
    }
    for (const { values } of records) {
      if (ids(Object.keys(values)) !== ids(visible.map(({ name }) => name))) {
        this.context.fail(`${description}: fields ${Object.keys(values)}`);
      }
    }
    return description;
  }

  async readRecord(player: Player): Promise<string> {
    const table = this.randomTable();
    const [record, row] = this.context.random.pick([...table.records, ["nowhere", null]] as const);
    const answer = await player.actor.rest("GET", `${at(table)}/${record}`);
    const description = `${player.actor.id} reads ${table.name}/${record}`;
    this.compare(player, description, answer, row !== null && mayRead(player.user, table, row));
    return description;
  }

  async readHistory(player: Player): Promise<string> {
    const table = this.randomTable();
    const [record, row] = this.context.random.pick([...table.records]) ?? ["nowhere", null];
    const answer = await player.actor.rest("GET", `${at(table)}/${record}/history`);
    const description = `${player.actor.id} reads the history of ${table.name}/${record}`;
    const isReadable = row !== null && mayRead(player.user, table, row);
    this.compare(player, description, answer, isReadable && mayReadHistory(player.user, table));
    return description;
  }

  /** Also of deleted records, and of those that went with a removed table. */
  async readChanges(player: Player, table = this.randomTable()): Promise<string> {
    const answer = await player.actor.rest("GET", `/changes?table=${table.name}`);
    const description = `${player.actor.id} lists the changes of ${table.name}`;
    this.compare(player, description, answer, mayReadHistory(player.user, table));
    return description;
  }

  /** Names are compared only if nobody has received them by managing roles. */
  async readModel(player: Player): Promise<string> {
    const answer = await player.actor.rest("GET", "/model");
    const description = `${player.actor.id} reads the model`;
    const tables = answer.body.tables as { name: string; fields: { name: string }[] }[];
    const names = tables.flatMap(({ name, fields }) =>
      fields.map((field) => `${name}.${field.name}`),
    );
    const known = this.context.model.tables.flatMap((table) =>
      visibleFields(player.user, table).map((field) => `${table.name}.${field.name}`),
    );
    if (names.sort().join() !== known.sort().join()) {
      this.context.fail(`${description}: ${names.join()} and not ${known.join()}`);
    }
    this.look(player, description, answer);
    return description;
  }

  async update(player: Player): Promise<string> {
    const { random } = this.context;
    const table = this.randomTable();
    const [record, before] = random.pick([...table.records]) ?? ["nowhere", null];
    const fields = this.someFields(table);
    const set = this.randomRow(fields, player);
    const state = stateOf(table);
    // A plain write may repeat the stored state: another one is refused.
    if (set.has(state)) set.set(state, before?.get(state) === "done" ? firstState : "done");
    const isUnconditional = random.next() < 0.7;
    const values = valuesOf(set, this.names);
    const base = Object.fromEntries(Object.keys(values).map((name) => [name, this.context.mark()]));
    const op = { op: "update", table: this.names(table), record, set: values, base };
    const answer = isUnconditional
      ? await player.actor.rest("PATCH", `${at(table)}/${record}?overwrite=true`, { set: values })
      : single(await player.actor.socket("mutate", { id: crypto.randomUUID(), ops: [op] }));
    const description = `${player.actor.id} writes ${Object.keys(values)} of ${table.name}/${record}`;
    for (const mine of Object.values(base)) player.description.add(mine);
    const after = before && new Map([...before, ...set]);
    const may =
      before !== null &&
      after !== null &&
      mayUpdate(player.user, table, [before, after], [...set.keys()]);
    // Without an overwrite the base, which is invented, must clash.
    this.compare(player, description, answer, isUnconditional ? may : may && answer.ok);
    if (answer.ok && before && after) this.put(table, record, after, before);
    return description;
  }

  async create(player: Player): Promise<string> {
    const { random } = this.context;
    const table = this.randomTable();
    const isTaken = random.next() < 0.3;
    const record = isTaken ? (random.pick([...table.records.keys()]) ?? "r0") : this.context.mark();
    const row = this.randomRow(this.someFields(table), player);
    player.description.add(record);
    const op = {
      op: "create",
      table: this.names(table),
      record,
      values: valuesOf(row, this.names),
    };
    const call = { id: crypto.randomUUID(), ops: [op] };
    const answer = single(
      await (random.next() < 0.5
        ? player.actor.socket("mutate", call)
        : player.actor.rest("POST", "/mutations", call)),
    );
    const description = `${player.actor.id} makes ${table.name}/${record} with ${Object.keys(op.values)}`;
    const made = begun(table, row);
    const may = mayCreate(player.user, table, made, [...row.keys()]);
    this.compare(player, description, answer, may && !table.records.has(record));
    if (!may && !answer.ok && answer.text.includes('"duplicate"')) {
      this.context.fail(
        `${description}: learned that the id is taken, and not that it is forbidden`,
      );
    }
    if (answer.ok) this.put(table, record, made);
    return description;
  }

  async restore(player: Player): Promise<string> {
    const table = this.randomTable();
    const [record, past] = this.context.random.pick([...table.history]) ?? ["nowhere", []];
    const current = table.records.get(record);
    const deleted = past.at(-1)?.before ?? null;
    const answer = await player.actor.rest("POST", `${at(table)}/${record}/restore`);
    const description = `${player.actor.id} restores ${table.name}/${record}`;
    // What is there already is there afterwards, for users who see it.
    const may = current
      ? mayRead(player.user, table, current)
      : deleted !== null && mayRestore(player.user, table, deleted);
    // The answer shows the record as it is then, also to users without the right to its history.
    if (answer.ok && !current && deleted) this.put(table, record, new Map(deleted));
    this.compare(player, description, answer, may);
    return description;
  }

  async transition(player: Player): Promise<string> {
    const { random } = this.context;
    const table = this.randomTable();
    const state = stateOf(table);
    const step = random.pick(transitions);
    const [record, before] = random.pick([...table.records]) ?? ["nowhere", null];
    const from = random.next() < 0.8 ? before?.get(state) : step.from;
    const call = { from: from ?? step.from };
    const path = `${at(table)}/${record}/transitions/${step.name}`;
    const answer = await player.actor.rest("POST", path, call);
    const description = `${player.actor.id} runs ${step.name} on ${table.name}/${record}`;
    const isPossible = before?.get(state) === step.from && call.from === step.from;
    const isReadable = before !== null && mayRead(player.user, table, before);
    const may = isReadable && mayRun(player.user, table, step) && isPossible;
    this.compare(player, description, answer, may);
    if (answer.ok && before) {
      this.put(table, record, new Map([...before, [state, step.to]]), before);
    }
    return description;
  }

  async remove(player: Player): Promise<string> {
    const { random } = this.context;
    const table = this.randomTable();
    const [record, row] = random.pick([...table.records]) ?? ["nowhere", null];
    const answer = await player.actor.rest("DELETE", `${at(table)}/${record}?overwrite=true`);
    const description = `${player.actor.id} deletes ${table.name}/${record}`;
    this.compare(player, description, answer, row !== null && mayDelete(player.user, table, row));
    if (answer.ok && row) {
      table.records.delete(record);
      table.history.get(record)?.push({ before: row, after: null });
    }
    return description;
  }
}

/** The result of the only op of a mutation. */
function single(answer: Answer): Answer {
  const [result] = (answer.body.results ?? []) as { ok: boolean }[];
  return { ...answer, ok: result?.ok ?? answer.ok };
}
