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
    const { text } = await this.scene.world.owner.rest("POST", "/mutations", { id, ops });
    if (text.includes('"ok":false')) this.scene.fail(`the owner's records were refused: ${text}`);
  }

  async readPage(player: Player): Promise<string> {
    const { dice } = this.scene;
    const table = this.randomTable();
    const sort = dice.pick(table.fields);
    const bySocket = dice.next() < 0.5;
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
    const said = `${player.actor.id} reads ${table.name} by ${sort.name}`;
    const visible = visibleFields(player.user, table);
    this.compare(player, said, answer, visible.includes(sort));
    if (!answer.ok) return said;
    const records = answer.body.records as { id: string; values: Record<string, unknown> }[];
    const expected = [...table.records].filter(([, row]) => mayRead(player.user, table, row));
    const ids = (list: string[]) => JSON.stringify(list.sort());
    if (ids(records.map(({ id }) => id)) !== ids(expected.map(([id]) => id))) {
      this.scene.fail(
        `${said}: got ${records.map(({ id }) => id)}, not ${expected.map(([id]) => id)}`,
      );
    }
    for (const { values } of records) {
      if (ids(Object.keys(values)) !== ids(visible.map(({ name }) => name))) {
        this.scene.fail(`${said}: fields ${Object.keys(values)}`);
      }
    }
    return said;
  }

  async readRecord(player: Player): Promise<string> {
    const table = this.randomTable();
    const [record, row] = this.scene.dice.pick([...table.records, ["nowhere", null]] as const);
    const answer = await player.actor.rest("GET", `${at(table)}/${record}`);
    const said = `${player.actor.id} reads ${table.name}/${record}`;
    this.compare(player, said, answer, row !== null && mayRead(player.user, table, row));
    return said;
  }

  async readHistory(player: Player): Promise<string> {
    const table = this.randomTable();
    const [record, row] = this.scene.dice.pick([...table.records]) ?? ["nowhere", null];
    const answer = await player.actor.rest("GET", `${at(table)}/${record}/history`);
    const said = `${player.actor.id} reads the history of ${table.name}/${record}`;
    const isSeen = row !== null && mayRead(player.user, table, row);
    this.compare(player, said, answer, isSeen && mayReadHistory(player.user, table));
    return said;
  }

  /** Names are compared only where nobody has been told them for managing roles. */
  async readModel(player: Player): Promise<string> {
    const answer = await player.actor.rest("GET", "/model");
    const said = `${player.actor.id} reads the model`;
    const told = answer.body.tables as { name: string; fields: { name: string }[] }[];
    const names = told.flatMap(({ name, fields }) =>
      fields.map((field) => `${name}.${field.name}`),
    );
    const known = this.scene.model.tables.flatMap((table) =>
      visibleFields(player.user, table).map((field) => `${table.name}.${field.name}`),
    );
    if (names.sort().join() !== known.sort().join()) {
      this.scene.fail(`${said}: ${names.join()} and not ${known.join()}`);
    }
    this.look(player, said, answer);
    return said;
  }

  async update(player: Player): Promise<string> {
    const { dice } = this.scene;
    const table = this.randomTable();
    const [record, before] = dice.pick([...table.records]) ?? ["nowhere", null];
    const fields = this.someFields(table);
    const set = this.randomRow(fields, player);
    const state = stateOf(table);
    // The state that stands may be repeated by a plain write: another one is what is refused.
    if (set.has(state)) set.set(state, before?.get(state) === "done" ? firstState : "done");
    const isBlind = dice.next() < 0.7;
    const values = valuesOf(set, this.names);
    const base = Object.fromEntries(Object.keys(values).map((name) => [name, this.scene.mark()]));
    const op = { op: "update", table: this.names(table), record, set: values, base };
    const answer = isBlind
      ? await player.actor.rest("PATCH", `${at(table)}/${record}?overwrite=true`, { set: values })
      : single(await player.actor.socket("mutate", { id: crypto.randomUUID(), ops: [op] }));
    const said = `${player.actor.id} writes ${Object.keys(values)} of ${table.name}/${record}`;
    for (const mine of Object.values(base)) player.said.add(mine);
    const after = before && new Map([...before, ...set]);
    const may =
      before !== null &&
      after !== null &&
      mayUpdate(player.user, table, [before, after], [...set.keys()]);
    // Without an overwrite the base, which is invented, must clash.
    this.compare(player, said, answer, isBlind ? may : may && answer.ok);
    if (answer.ok && before && after) this.put(table, record, after, before);
    return said;
  }

  async create(player: Player): Promise<string> {
    const { dice } = this.scene;
    const table = this.randomTable();
    const isTaken = dice.next() < 0.3;
    const record = isTaken ? (dice.pick([...table.records.keys()]) ?? "r0") : this.scene.mark();
    const row = this.randomRow(this.someFields(table), player);
    player.said.add(record);
    const op = {
      op: "create",
      table: this.names(table),
      record,
      values: valuesOf(row, this.names),
    };
    const call = { id: crypto.randomUUID(), ops: [op] };
    const answer = single(
      await (dice.next() < 0.5
        ? player.actor.socket("mutate", call)
        : player.actor.rest("POST", "/mutations", call)),
    );
    const said = `${player.actor.id} makes ${table.name}/${record} with ${Object.keys(op.values)}`;
    const made = begun(table, row);
    const may = mayCreate(player.user, table, made, [...row.keys()]);
    this.compare(player, said, answer, may && !table.records.has(record));
    if (!may && !answer.ok && answer.text.includes('"duplicate"')) {
      this.scene.fail(`${said}: told that the id is taken, and not that it is forbidden`);
    }
    if (answer.ok) this.put(table, record, made);
    return said;
  }

  async restore(player: Player): Promise<string> {
    const table = this.randomTable();
    const [record, past] = this.scene.dice.pick([...table.history]) ?? ["nowhere", []];
    const current = table.records.get(record);
    const deleted = past.at(-1)?.before ?? null;
    const answer = await player.actor.rest("POST", `${at(table)}/${record}/restore`);
    const said = `${player.actor.id} restores ${table.name}/${record}`;
    // What is there already is there afterwards, for those who see it.
    const may = current
      ? mayRead(player.user, table, current)
      : deleted !== null && mayRestore(player.user, table, deleted);
    this.compare(player, said, answer, may);
    if (answer.ok && !current && deleted) this.put(table, record, new Map(deleted));
    return said;
  }

  async transition(player: Player): Promise<string> {
    const { dice } = this.scene;
    const table = this.randomTable();
    const state = stateOf(table);
    const step = dice.pick(transitions);
    const [record, before] = dice.pick([...table.records]) ?? ["nowhere", null];
    const from = dice.next() < 0.8 ? before?.get(state) : step.from;
    const call = { from: from ?? step.from };
    const path = `${at(table)}/${record}/transitions/${step.name}`;
    const answer = await player.actor.rest("POST", path, call);
    const said = `${player.actor.id} runs ${step.name} on ${table.name}/${record}`;
    const isPossible = before?.get(state) === step.from && call.from === step.from;
    const isSeen = before !== null && mayRead(player.user, table, before);
    const may = isSeen && mayRun(player.user, table, step) && isPossible;
    this.compare(player, said, answer, may);
    if (answer.ok && before) {
      this.put(table, record, new Map([...before, [state, step.to]]), before);
    }
    return said;
  }

  async remove(player: Player): Promise<string> {
    const { dice } = this.scene;
    const table = this.randomTable();
    const [record, row] = dice.pick([...table.records]) ?? ["nowhere", null];
    const answer = await player.actor.rest("DELETE", `${at(table)}/${record}?overwrite=true`);
    const said = `${player.actor.id} deletes ${table.name}/${record}`;
    this.compare(player, said, answer, row !== null && mayDelete(player.user, table, row));
    if (answer.ok && row) {
      table.records.delete(record);
      table.history.get(record)?.push({ before: row, after: null });
    }
    return said;
  }
}

/** The result of the only op of a mutation. */
function single(answer: Answer): Answer {
  const [result] = (answer.body.results ?? []) as { ok: boolean }[];
  return { ...answer, ok: result?.ok ?? answer.ok };
}
