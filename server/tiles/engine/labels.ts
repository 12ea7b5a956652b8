import type { Json } from "../../../shared/filter/filter.ts";
import { findField, findTable, type Model } from "../../../shared/model/model.ts";
import type { Database } from "../../store/database.ts";
import type { LogChange } from "../../store/log-change.ts";
import { listUsers } from "../../store/people/users.ts";
import { readDisplayTexts } from "../../store/summaries.ts";
import type { LabelSource } from "../plan/scene-plan.ts";

const PEOPLE_KEPT_MS = 10_000;
const KEPT_MAX = 50_000;

/** Words for keys: of options, people and linked records, as far as the reader may see those. */
export type FindLabel = (source: LabelSource | undefined, key: Json) => string;

/**
 * What people call the values that are keys. Names of linked records are kept, each for the row rights
 * under which it was read, until their table tells that they changed.
 */
export class Labels {
  readonly #database: Database;
  readonly #model: () => Model;
  readonly #records = new Map<string, Map<string, string>>();
  #people = new Map<string, string>();
  #peopleReadAt = Number.NEGATIVE_INFINITY;
  /** Counts what was forgotten. */
  version = 0;

  constructor(database: Database, model: () => Model) {
    this.#database = database;
    this.#model = model;
  }

  /** The word for a key; the key itself where nobody may know another, or `load` was not called. */
  readonly find: FindLabel = (source, key) => {
    if (key === null) return "";
    const text = String(key);
    switch (source?.kind) {
      case "options":
        return source.words[text] ?? text;
      case "people":
        return this.#people.get(text) ?? text;
      case "records":
        return this.#records.get(sourceKey(source))?.get(text) ?? text;
      default:
        return text;
    }
  };

  /** Reads what is missing of the words for these keys. */
  async load(wanted: Iterable<{ source: LabelSource; keys: Iterable<string> }>): Promise<void> {
    for (const { source, keys } of wanted) {
      if (source.kind === "people") await this.#loadPeople();
      if (source.kind === "records") await this.#loadRecords(source, keys);
    }
  }

  /** Something about people changed. */
  forgetPeople(): void {
    this.#peopleReadAt = Number.NEGATIVE_INFINITY;
  }

  /** A record may be called otherwise now, or be seen by others; whether that concerns any word. */
  forget(table: string, changes: readonly LogChange[]): boolean {
    let any = false;
    for (const [key, words] of this.#records) {
      if (JSON.parse(key)[0] !== table) continue;
      for (const { record } of changes) any = words.delete(record) || any;
    }
    if (any) this.version += 1;
    return any;
  }

  /** The model is another one. */
  clear(): void {
    this.#records.clear();
    this.version += 1;
  }

  async #loadPeople(): Promise<void> {
    if (performance.now() - this.#peopleReadAt < PEOPLE_KEPT_MS) return;
    const users = await listUsers(this.#database.kysely);
    this.#people = new Map(users.map(({ id, name }) => [id, name]));
    this.#peopleReadAt = performance.now();
  }

  async #loadRecords(
    source: Extract<LabelSource, { kind: "records" }>,
    keys: Iterable<string>,
  ): Promise<void> {
    const words = this.#wordsOf(source);
    const missing = [...new Set(keys)].filter((key) => !words.has(key));
    const table = findTable(this.#model(), source.table);
    const display = table && findField(table, source.display);
    if (missing.length === 0 || !table || !display) return;
    const found = await readDisplayTexts(this.#database, table, missing, {
      display,
      filter: source.scope,
    });
    for (const key of missing) words.set(key, found.get(key) ?? key);
  }

  #wordsOf(source: Extract<LabelSource, { kind: "records" }>): Map<string, string> {
    const key = sourceKey(source);
    const known = this.#records.get(key);
    if (known && known.size < KEPT_MAX) return known;
    const words = new Map<string, string>();
    this.#records.set(key, words);
    return words;
  }
}

function sourceKey({ table, display, scope }: Extract<LabelSource, { kind: "records" }>): string {
  return JSON.stringify([table, display, scope]);
}
