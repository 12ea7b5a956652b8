import { setTimeout as sleep } from "node:timers/promises";
import type { Json } from "../../../shared/filter/filter.ts";
import { findField, findTable, type Model } from "../../../shared/model/model.ts";
import { bounded } from "../../load/budget.ts";
import type { Database } from "../../store/database.ts";
import { readDisplayTexts } from "../../store/display-texts.ts";
import type { LogChange } from "../../store/log-change.ts";
import { listUsers } from "../../store/users/users.ts";
import type { LabelSource } from "../plan/wallboard-plan.ts";

const USER_NAMES_TTL_MS = 10_000;
const LABELS_PER_SOURCE_MAX = 50_000;
/** Sources differ by row rights too: one that nobody has asked for longest is forgotten. */
const SOURCES_MAX = 200;
/** Simultaneous look-ups, each on a connection. */
const AT_ONCE = 2;
const WAITING_MAX = 10_000;
/** A failed look-up counts as pending for this time; then it is retried. */
const RETRY_MS = 1_000;
const PEOPLE = "people";

/** Labels of keys: of options, users and linked records, as far as the reader may see those. */
export type FindLabel = (source: LabelSource | undefined, key: Json) => string;

interface Lookup {
  done: Promise<void>;
  /** Records that changed since it began: its results for them may be old. */
  changed: Set<string>;
}

/**
 * The labels of keys. Names of linked records are cached, each for the row rights under which it was read,
 * until their table reports a change. Nobody waits for a look-up: `load` reports when it is done.
 */
export class Labels {
  readonly #database: Database;
  readonly #model: () => Model;
  readonly #records = new Map<string, Map<string, string>>();
  /** Pending look-ups, at most one for each source. */
  readonly #lookups = new Map<string, Lookup>();
  readonly #bounded = bounded(AT_ONCE, WAITING_MAX);
  #userNames = new Map<string, string>();
  #userNamesReadAt = Number.NEGATIVE_INFINITY;

  constructor(database: Database, model: () => Model) {
    this.#database = database;
    this.#model = model;
  }

  /** The label of a key; the key itself if the reader may not see a label, or it is not known yet. */
  readonly find: FindLabel = (source, key) => {
    if (key === null) return "";
    const text = String(key);
    switch (source?.kind) {
      case "options":
        return source.words[text] ?? text;
      case "people":
        return this.#userNames.get(text) ?? text;
      case "records":
        return this.#records.get(sourceKey(source))?.get(text) ?? text;
      default:
        return text;
    }
  };

  /** Begins to look up the missing labels for these keys; null if there are none. Never rejects. */
  load(
    required: Iterable<{ source: LabelSource; keys: Iterable<string> }>,
  ): Promise<unknown> | null {
    const lookups: Promise<void>[] = [];
    for (const { source, keys } of required) {
      if (source.kind === "options") continue;
      const lookup =
        source.kind === "people" ? this.#loadUserNames() : this.#loadRecords(source, keys);
      if (lookup) lookups.push(lookup);
    }
    return lookups.length > 0 ? Promise.all(lookups) : null;
  }

  /** Something about users changed. */
  forgetUserNames(): void {
    this.#userNamesReadAt = Number.NEGATIVE_INFINITY;
    this.#lookups.get(PEOPLE)?.changed.add(PEOPLE);
  }

  /** A record's label or visibility may have changed; whether that concerns any label. */
  forget(table: string, changes: readonly LogChange[]): boolean {
    let any = false;
    for (const [key, labels] of this.#records) {
      if (JSON.parse(key)[0] !== table) continue;
      const lookup = this.#lookups.get(key);
      for (const { record } of changes) {
        any = labels.delete(record) || any;
        lookup?.changed.add(record);
      }
    }
    return any;
  }

  /** The model has changed. */
  clear(): void {
    this.#records.clear();
    // Pending look-ups belong to the former model.
    this.#lookups.clear();
  }

  #loadUserNames(): Promise<void> | null {
    if (performance.now() - this.#userNamesReadAt < USER_NAMES_TTL_MS) return null;
    return this.#begin(PEOPLE, async (changed) => {
      const users = await listUsers(this.#database.kysely);
      this.#userNames = new Map(users.map(({ id, name }) => [id, name]));
      if (!changed.has(PEOPLE)) this.#userNamesReadAt = performance.now();
    });
  }

  #loadRecords(
    source: Extract<LabelSource, { kind: "records" }>,
    keys: Iterable<string>,
  ): Promise<void> | null {
    const labels = this.#labelsOf(source);
    const missing = [...new Set(keys)].filter((key) => !labels.has(key));
    const table = findTable(this.#model(), source.table);
    const display = table && findField(table, source.display);
    if (missing.length === 0 || !table || !display) return null;
    return this.#begin(sourceKey(source), async (changed) => {
      const found = await readDisplayTexts(this.#database, table, missing, {
        display,
        filter: source.scope,
      });
      for (const key of missing) {
        if (!changed.has(key)) labels.set(key, found.get(key) ?? key);
      }
    });
  }

  /** One look-up at a time for each source: what is still missing then is looked up by the next. */
  #begin(at: string, read: (changed: ReadonlySet<string>) => Promise<void>): Promise<void> {
    const running = this.#lookups.get(at);
    if (running) return running.done;
    const changed = new Set<string>();
    const done = this.#bounded(() => read(changed))
      .catch(() => sleep(RETRY_MS, undefined, { ref: false }))
      .finally(() => {
        if (this.#lookups.get(at)?.changed === changed) this.#lookups.delete(at);
      });
    this.#lookups.set(at, { done, changed });
    return done;
  }

  #labelsOf(source: Extract<LabelSource, { kind: "records" }>): Map<string, string> {
    const key = sourceKey(source);
    const known = this.#records.get(key);
    const labels = known && known.size < LABELS_PER_SOURCE_MAX ? known : new Map();
    this.#records.delete(key);
    this.#records.set(key, labels);
    const [oldest] = this.#records.keys();
    if (this.#records.size > SOURCES_MAX && oldest !== undefined) this.#records.delete(oldest);
    return labels;
  }
}

function sourceKey({ table, display, scope }: Extract<LabelSource, { kind: "records" }>): string {
  return JSON.stringify([table, display, scope]);
}
