import type { Table, Values } from "../../shared/model/model.ts";
import { type Scope, scopeOf } from "../../shared/policy/scope.ts";
import type { SeededRandom } from "../convergence/seeded-random.ts";
import type { TestInstallation } from "../harness/test-installation.ts";
import type { CanaryRecords } from "./canary-records.ts";
import type { Knowledge } from "./knowledge.ts";
import { canaryFields } from "./random-role.ts";
import type { TappedLine } from "./tapped-line.ts";
import { pick, type Watcher } from "./watcher.ts";

interface Setting {
  installation: TestInstallation;
  /** The owner's calls, answered also if they are refused. */
  owner: TappedLine;
  knowledge: Knowledge;
  records: CanaryRecords;
  random: SeededRandom;
  table: Table;
  /** Ids of the sets that were applied. */
  changeSets: string[];
}

/** By a watcher, with their own rights; by the owner if there is none. */
type Author = Watcher | null;
type CanaryWrite = (author: Author, record: string) => Promise<boolean>;

const TABLE = "incidents";
const PATH = `/tables/${TABLE}`;

/**
 * Everything that changes records, by authors whose rights may forbid it. The result of a write is noted
 * before it is sent: users who may see it can receive it before its author is answered. Each resolves to
 * whether it was applied.
 */
export class CanaryWrites {
  readonly #setting: Setting;
  readonly #writes: readonly (readonly [number, CanaryWrite])[];

  constructor(setting: Setting) {
    this.#setting = setting;
    this.#writes = [
      [60, (author, record) => this.#update(author, record)],
      [10, (author, record) => this.#clash(author, record)],
      [8, (author) => this.#create(author)],
      [5, (author, record) => this.#remove(author, record)],
      [6, (author) => this.#restore(author)],
      [6, (author, record) => this.#transition(author, record)],
      [5, (author, record) => this.#import(author, record)],
      [6, (author, record) => this.#changeSet(author, record)],
    ];
  }

  /** One write, on that record or, if it creates or restores one, on another. */
  async make(author: Author, record: string): Promise<boolean> {
    return this.#setting.random.draw(this.#writes)(author, record);
  }

  async #update(author: Author, record: string): Promise<boolean> {
    const set = this.#valuesFor(author, record, 2);
    return this.#writing(record, set, () =>
      this.#send(author, "PATCH", `${PATH}/records/${record}?overwrite=true`, { set }),
    );
  }

  /** On a value that nobody ever saw: the conflict shows what is stored. */
  async #clash(author: Author, record: string): Promise<boolean> {
    if (!author) return false;
    const set = this.#valuesFor(author, record, 2);
    const base = Object.fromEntries(Object.keys(set).map((name) => [name, "never seen"]));
    const ops = [{ op: "update", table: TABLE, record, set, base }];
    return this.#writing(record, set, async () => {
      await author.tapped.call("mutate", { id: crypto.randomUUID(), ops });
      return false;
    });
  }

  async #create(author: Author): Promise<boolean> {
    const { knowledge, records } = this.#setting;
    const record = records.nextId();
    const values = this.#valuesFor(author, record, canaryFields.length);
    knowledge.recordWrite(TABLE, record, values);
    const isDone = await this.#send(author, "POST", `${PATH}/records`, { record, values });
    if (isDone) records.markPresent(record);
    else records.markDeleted(record);
    return isDone;
  }

  async #remove(author: Author, record: string): Promise<boolean> {
    const isDone = await this.#send(author, "DELETE", `${PATH}/records/${record}?overwrite=true`);
    if (isDone) this.#setting.records.markDeleted(record);
    return isDone;
  }

  async #restore(author: Author): Promise<boolean> {
    const { knowledge, records } = this.#setting;
    const record = records.anyDeleted();
    if (record === null) return false;
    records.markPresent(record);
    knowledge.recordWrite(TABLE, record, knowledge.imageOf(TABLE, record));
    const isDone = await this.#send(author, "POST", `${PATH}/records/${record}/restore`);
    if (!isDone) records.markDeleted(record);
    return isDone;
  }

  async #transition(author: Author, record: string): Promise<boolean> {
    const { installation, random, table } = this.#setting;
    const from = (await installation.ownerUser.record(TABLE, record)).values.state;
    const possible = (table.workflow?.transitions ?? []).filter((one) =>
      one.from.includes(String(from)),
    );
    if (possible.length === 0) return false;
    const path = `${PATH}/records/${record}/transitions/${random.pick(possible).name}`;
    return this.#send(author, "POST", path, { from, reason: "because" });
  }

  /** A file that updates a record by its number. */
  async #import(author: Author, record: string): Promise<boolean> {
    const { installation } = this.#setting;
    const { number } = (await installation.ownerUser.record(TABLE, record)).values;
    const set = this.#valuesFor(author, record, 2);
    const texts = Object.fromEntries(
      Object.entries(set).filter(([, value]) => typeof value === "string"),
    );
    const names = Object.keys(texts);
    const file = [
      ["number", ...names],
      [number, ...names.map((name) => texts[name])],
    ];
    const body = file.map((row) => row.join(",")).join("\n");
    return this.#writing(record, texts, () =>
      this.#send(author, "POST", `${PATH}/imports?key=number`, body, '"updated":1'),
    );
  }

  /** As a change set, whose way back is drafted too. Whoever it is, all watchers ask what it did. */
  async #changeSet(author: Author, record: string): Promise<boolean> {
    const { owner, changeSets, knowledge } = this.#setting;
    const caller = author?.tapped ?? owner;
    const { values = {} } = JSON.parse(await caller.rest("GET", `${PATH}/records/${record}`));
    const set = this.#valuesFor(author, record, 2);
    const base = Object.fromEntries(Object.keys(set).map((name) => [name, values[name] ?? null]));
    const ops = [{ op: "update", table: TABLE, record, set, base }];
    if (author) knowledge.recordSent(author.tapped.id, base);
    const { id } = JSON.parse(await caller.rest("POST", "/change-sets", { ops }));
    const path = `/change-sets/${id}`;
    await caller.rest("GET", `${path}/preview`);
    const isDone = await this.#writing(record, set, () =>
      this.#send(author, "POST", `${path}/apply`, {}, '"applied":1'),
    );
    if (isDone) changeSets.push(id);
    return isDone;
  }

  /** Random values of some fields, of those alone that the author can read. */
  #valuesFor(author: Author, record: string, count: number): Values {
    const { random, records } = this.#setting;
    const fields = Array.from({ length: count }, (_, index) =>
      count === canaryFields.length ? (canaryFields[index] as string) : random.pick(canaryFields),
    );
    const values = records.randomValues(author?.tapped.id ?? "boss", record, fields);
    const scope = author && this.#scopeOf(author);
    if (!scope) return values;
    const readable = scope.fields.filter((name) => name in values);
    return pick(values, readable);
  }

  #scopeOf({ tapped, role, attributes }: Watcher): Scope | null {
    return scopeOf({ id: tapped.id, role, attributes }, this.#setting.table);
  }

  /** Notes what a write would make of a record, and the stored values if it was refused. */
  async #writing(record: string, set: Values, write: () => Promise<boolean>): Promise<boolean> {
    const { knowledge, records } = this.#setting;
    knowledge.recordWrite(TABLE, record, set);
    const isDone = await write();
    if (!isDone) await records.confirm(record);
    knowledge.recordAnswered(TABLE, record);
    return isDone;
  }

  /** Whether the call was applied: by its answer's text, if the status alone does not say. */
  async #send(
    author: Author,
    method: string,
    path: string,
    body?: unknown,
    mark?: string,
  ): Promise<boolean> {
    const caller = author?.tapped ?? this.#setting.owner;
    const answer = await caller.rest(method, path, body);
    return mark ? answer.includes(mark) : !answer.includes('"code":');
  }
}
