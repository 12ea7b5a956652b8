import type { Filter } from "../../../../shared/filter/filter.ts";
import { foldCase } from "../../../../shared/filter/fold-case.ts";

import { rankMatches } from "../../../../shared/filter/text-search.ts";
import { defaultLimits } from "../../../../shared/limits.ts";
import { Listeners } from "../../../../shared/listeners.ts";
import { displayText } from "../../../../shared/model/display-text.ts";
import { type Field, findTable, type Model } from "../../../../shared/model/model.ts";
import { titleBesideName } from "../../../../shared/model/record-card.ts";
import type { UserInfo } from "../../../../shared/protocol/users.ts";
import { rest } from "../../transport/rest/rest.ts";

/** A record or user that a link may point to. */
export interface Target {
  id: string;
  label: string;
  /** What a record is read by, where its label is a number that nobody knows by heart. */
  title?: string | undefined;
  /** A user's colour. */
  colour?: string | undefined;
  /** A user's address, for those who manage users. */
  email?: string | undefined;
}

/** Typed labels that are looked up together. */
interface NextNames {
  texts: Set<string>;
  found: Promise<Target[]>;
}

/** Labels asked for within this time travel in one call. */
const BATCH_DELAY_MS = 20;
const BATCH_MAX_IDS = 200;
const SEARCH_MAX_TARGETS = 30;
/** Labels that are looked for in any case, in one call. */
const CASE_BATCH = 20;
/** For so many of a batch that can't be read it is asked whether they were deleted. */
const DELETED_MAX = 20;
/** Users change rarely; a new one is found at the latest after this. */
const USERS_FRESH_MS = 60_000;
/** A label is asked for again when it is older than this; until then what is known is shown. */
const LABEL_FRESH_MS = 120_000;
/** What could not be read (no right, no line) shows its id and is tried again after this. */
const RETRY_MS = 15_000;
/** Notices within this time are one; and longer by chance, so that not all pages read at once. */
const OUTDATED_MS = 1_000;

/**
 * The labels of linked records and users, read in batches as cells request them and cached for the
 * page. A target that is hidden or deleted has its id as label. Searches also fill the cache.
 */
export class TargetLabels {
  readonly #model: () => Model;
  readonly #pageMax: () => number;
  /** Another map once what I may see has changed: what is being read then is entered into the former one. */
  #labels = new Map<string, { target: Target; freshUntil: number }>();
  readonly #pendingIds = new Map<string, Set<string>>();
  readonly #watchers = new Listeners();
  /** By table, the call for typed labels that is under way, and the next one. */
  readonly #naming = new Map<string, { next?: NextNames; now: Promise<void> }>();
  #users: { at: number; all: Promise<UserInfo[]> } | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** The tables whose labels may be old; null: the users. */
  readonly #outdated = new Set<string | null>();

  constructor(model: () => Model, pageMax: () => number = () => defaultLimits.PAGE_MAX_RECORDS) {
    this.#model = model;
    this.#pageMax = pageMax;
  }

  /** The target of a link or user field if it is cached; requests it otherwise. */
  get(field: Field, id: string): Target | undefined {
    const table = targetOf(field);
    const known = this.#labels.get(keyOf(table, id));
    if (!known || known.freshUntil < Date.now()) this.#request(table, id);
    return known?.target;
  }

  labelOf(field: Field, id: string): string | undefined {
    return this.get(field, id)?.label;
  }

  /** The label of an id: null if the user may see none, undefined if it is not known yet; it is requested then. */
  known(field: Field, id: string): string | null | undefined {
    const label = this.labelOf(field, id);
    return label === id ? null : label;
  }

  /** Whether a label is cached, however old. */
  isCached(field: Field, id: string): boolean {
    return this.#labels.has(keyOf(targetOf(field), id));
  }

  /** Reads the labels that are not cached. */
  async load(field: Field, ids: readonly string[]): Promise<void> {
    const missing = new Set(ids.filter((id) => !this.isCached(field, id)));
    for (const part of portions([...missing], Math.min(BATCH_MAX_IDS, this.#pageMax()))) {
      await this.#readBatch(targetOf(field), part);
    }
  }

  /** Calls back when labels have arrived that were not known when they were asked for. */
  onArrived(callback: () => void): () => void {
    return this.#watchers.add(callback);
  }

  /** What I may see has changed: every label of a record is asked for again when it is next drawn. */
  forget(): void {
    this.#labels = new Map();
    this.#watchers.emit();
  }

  /**
   * Labels of a table's records may have changed, or of users (null), or any: what is shown of them is read again, and stays until the
   * new labels are there.
   */
  outdate(table?: string | null): void {
    const tables = table === undefined ? [null, ...this.#tables()] : [table];
    const isAwaited = this.#outdated.size > 0;
    for (const one of tables) this.#outdated.add(one);
    if (!isAwaited) setTimeout(() => this.#readOutdated(), OUTDATED_MS * (1 + Math.random()));
  }

  /** What a notice of changed labels or users says; null where any may have been missed. */
  outdateBy(notice: { kind: "labels"; table: string } | { kind: "people" } | null): void {
    if (notice === null) this.outdate();
    else this.outdate(notice.kind === "people" ? null : notice.table);
  }

  #readOutdated(): void {
    for (const [key, known] of this.#labels) {
      if (this.#outdated.has(tableOfKey(key))) known.freshUntil = 0;
    }
    if (this.#outdated.has(null)) this.#users = null;
    this.#outdated.clear();
    this.#watchers.emit();
  }

  #tables(): string[] {
    return [...new Set([...this.#labels.keys()].flatMap((key) => tableOfKey(key) ?? []))];
  }

  /** Targets whose label holds the text, those that begin with it first. */
  async search(field: Field, text: string): Promise<Target[]> {
    const table = targetOf(field);
    const labels = this.#labels;
    const found = table === null ? await this.#allUsers() : await this.#find(table, text);
    for (const target of found) this.#cache(table, target, LABEL_FRESH_MS, labels);
    return rankMatches(found, ({ label }) => label, text).slice(0, SEARCH_MAX_TARGETS);
  }

  /** The cached targets whose label holds the text, those that begin with it first. */
  loaded(field: Field, text: string): Target[] {
    const begin = keyOf(targetOf(field), "");
    const cached = [...this.#labels].flatMap(([key, { target }]) =>
      key.startsWith(begin) && target.label !== target.id ? [target] : [],
    );
    return rankMatches(cached, ({ label }) => label, text).slice(0, SEARCH_MAX_TARGETS);
  }

  /**
   * The ids of the targets that pasted texts name: by id, by label or by email, in any case if nothing has exactly
   * that name. Several ids where several have the name; a text that names nothing is absent.
   */
  async resolve(field: Field, texts: readonly string[]): Promise<Map<string, string[]>> {
    const table = targetOf(field);
    const labels = this.#labels;
    const targets = table === null ? await this.#allUsers() : await this.#named(table, texts);
    for (const target of targets) this.#cache(table, target, LABEL_FRESH_MS, labels);
    const known = idsByName(targets);
    const found = texts.map((text) => [text, known(text)] as const);
    return new Map(found.filter(([, ids]) => ids.length > 0));
  }

  /**
   * The targets whose label is a typed text, in any case if none has it exactly; where there are none, those whose label begins
   * with it. Unlike a pasted text, a typed one is never an id: lists show labels.
   */
  async named(field: Field, text: string): Promise<Target[]> {
    const table = targetOf(field);
    const labels = this.#labels;
    const targets =
      table === null ? await this.#allUsers() : await this.#namedTogether(table, text);
    for (const target of targets) this.#cache(table, target, LABEL_FRESH_MS, labels);
    return bestNamed(targets, text);
  }

  /** Those of some texts that are labels of a table's records, as they are written. */
  async labelsAmong(table: string, texts: readonly string[]): Promise<Set<string>> {
    const value = texts.slice(0, BATCH_MAX_IDS);
    const exact: Filter = { field: this.#tableOf(table).display, op: "in", value };
    const targets = await this.#query(table, exact, this.#pageMax());
    return new Set(targets.map(({ label }) => label));
  }

  /** Texts that come while others of the same table are looked up travel together in the next call. */
  #namedTogether(table: string, text: string): Promise<Target[]> {
    const { next, now = Promise.resolve() } = this.#naming.get(table) ?? {};
    if (next) {
      next.texts.add(text);
      return next.found;
    }
    const texts = new Set([text]);
    const found = now.then(() => {
      this.#naming.set(table, { now: done });
      return this.#labelled(table, [...texts]);
    });
    const done = found.then(
      () => {},
      () => {},
    );
    this.#naming.set(table, { next: { texts, found }, now: done });
    return found;
  }

  /** Targets with exactly these labels, and those whose label begins with one that no target has. */
  async #labelled(table: string, texts: readonly string[]): Promise<Target[]> {
    const { display } = this.#tableOf(table);
    const targets: Target[] = [];
    for (const value of portions(texts, Math.min(BATCH_MAX_IDS, this.#pageMax()))) {
      const exact: Filter = { field: display, op: "in", value };
      targets.push(...(await this.#query(table, exact, this.#pageMax())));
    }
    const known = new Set(targets.map(({ label }) => label));
    for (const value of texts.filter((text) => !known.has(text))) {
      const begins: Filter = { field: display, op: "startsWith", value };
      targets.push(...(await this.#query(table, begins, SEARCH_MAX_TARGETS)));
    }
    return targets;
  }

  /** Targets with these names, and where there are none, those whose label holds the text in another case. */
  async #named(table: string, texts: readonly string[]): Promise<Target[]> {
    const targets: Target[] = [];
    for (const part of portions(texts, Math.min(BATCH_MAX_IDS, this.#pageMax()))) {
      targets.push(...(await this.#byIdOrLabel(table, part)));
    }
    const known = idsByName(targets);
    const missing = texts.filter((text) => known(text).length === 0).slice(0, BATCH_MAX_IDS);
    const { display } = this.#tableOf(table);
    for (const part of portions(missing, CASE_BATCH)) {
      const or = part.map((value): Filter => ({ field: display, op: "contains", value }));
      targets.push(...(await this.#query(table, { or }, this.#pageMax())));
    }
    return targets;
  }

  #request(table: string | null, id: string): void {
    const key = table ?? "";
    const ids = this.#pendingIds.get(key) ?? new Set();
    this.#pendingIds.set(key, ids.add(id));
    this.#timer ??= setTimeout(() => void this.#read(), BATCH_DELAY_MS);
  }

  /** Reads what was asked for. What a failed read leaves unknown is asked for again when next drawn. */
  async #read(): Promise<void> {
    this.#timer = null;
    const pending = [...this.#pendingIds];
    // Before they are read: what is too much for one call is requested again.
    this.#pendingIds.clear();
    await Promise.all(pending.map(([key, ids]) => this.#readBatch(key || null, [...ids])));
    this.#watchers.emit();
  }

  /** What a record that can't be read was called when it was deleted; null if that is not known. */
  protected deletedLabel(_table: string, _id: string): Promise<string | null> {
    return Promise.resolve(null);
  }

  /** Names a target before the server knows it. */
  protected add(field: Field, target: Target): void {
    this.#cache(targetOf(field), target, LABEL_FRESH_MS);
  }

  #cache(table: string | null, target: Target, freshMs: number, labels = this.#labels): void {
    labels.set(keyOf(table, target.id), { target, freshUntil: Date.now() + freshMs });
  }

  async #readBatch(table: string | null, ids: string[]): Promise<void> {
    const labels = this.#labels;
    const batchSize = Math.min(BATCH_MAX_IDS, this.#pageMax());
    const part = ids.slice(0, batchSize);
    for (const id of ids.slice(batchSize)) this.#request(table, id);
    const targets = await this.#readTargets(table, part).catch(() => null);
    const found = new Map(targets?.map((target) => [target.id, target]));
    const missing = targets ? part.filter((id) => !found.has(id)) : [];
    await Promise.all(
      missing.slice(0, DELETED_MAX).map(async (id) => {
        const label = table === null ? null : await this.deletedLabel(table, id);
        if (label !== null) found.set(id, { id, label });
      }),
    );
    for (const id of part) {
      const known = labels.get(keyOf(table, id))?.target;
      const target = found.get(id) ?? (targets ? undefined : known) ?? { id, label: id };
      this.#cache(table, target, targets ? LABEL_FRESH_MS : RETRY_MS, labels);
    }
  }

  #readTargets(table: string | null, ids: string[]): Promise<Target[]> {
    if (table === null) return this.#allUsers();
    return this.#query(table, { field: "id", op: "in", value: ids }, ids.length);
  }

  async #allUsers(): Promise<Target[]> {
    if (!this.#users || Date.now() - this.#users.at > USERS_FRESH_MS) {
      const all = rest("GET /users").then(({ items }) => items);
      this.#users = { at: Date.now(), all };
      all.catch(() => {
        this.#users = null;
      });
    }
    const users = await this.#users.all;
    return users.map(({ id, name, colour, email }) => ({ id, label: name, colour, email }));
  }

  async #find(table: string, text: string): Promise<Target[]> {
    const { display } = this.#tableOf(table);
    const filter: Filter | null = text ? { field: display, op: "contains", value: text } : null;
    return this.#query(table, filter, SEARCH_MAX_TARGETS * 3);
  }

  #byIdOrLabel(table: string, texts: string[]): Promise<Target[]> {
    const { display } = this.#tableOf(table);
    const or: Filter[] = [
      { field: "id", op: "in", value: texts },
      { field: display, op: "in", value: texts },
    ];
    return this.#query(table, { or }, this.#pageMax());
  }

  async #query(table: string, filter: Filter | null, limit: number): Promise<Target[]> {
    const { display, title } = this.#tableOf(table);
    const { records } = await rest("GET /tables/{table}/records", {
      params: { table },
      query: {
        fields: [display, ...(title === undefined ? [] : [title])],
        sort: [display],
        limit: Math.min(limit, this.#pageMax()),
        filter: filter ?? undefined,
      },
    });
    return records.map(({ id, values }) => ({
      id,
      label: String(values[display] ?? id),
      title: displayText({ display: title ?? "" }, values) ?? undefined,
    }));
  }

  /** The field of the labels, and that of the titles where it is another one. */
  #tableOf(name: string): { display: string; title?: string | undefined } {
    const table = findTable(this.#model(), name);
    if (!table) return { display: "id" };
    return { display: table.display, title: titleBesideName(table)?.name };
  }
}

/** Finds ids by id, label or email: those with exactly this name, or else those with the name in another case. */
function idsByName(targets: readonly Target[]): (text: string) => string[] {
  const exact = new Map<string, Set<string>>();
  const folded = new Map<string, Set<string>>();
  const ids = new Set(targets.map(({ id }) => id));
  for (const { id, label, email } of targets) {
    for (const name of [label, email]) {
      if (name === undefined) continue;
      exact.set(name, (exact.get(name) ?? new Set()).add(id));
      folded.set(foldCase(name), (folded.get(foldCase(name)) ?? new Set()).add(id));
    }
  }
  return (text) =>
    ids.has(text) ? [text] : [...(exact.get(text) ?? folded.get(foldCase(text)) ?? [])];
}

/** Those with exactly this label, or else with the label in another case, or else with a label that begins so. Each once. */
function bestNamed(targets: readonly Target[], text: string): Target[] {
  const folded = foldCase(text);
  const isNamed = [
    ({ label }: Target) => label === text,
    ({ label }: Target) => foldCase(label.trim()) === folded,
    ({ label }: Target) => foldCase(label).startsWith(folded),
  ];
  const all = [...new Map(targets.map((target) => [target.id, target])).values()];
  return isNamed.map((test) => all.filter(test)).find((found) => found.length > 0) ?? [];
}

function portions<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, at) => items.slice(at * size, (at + 1) * size));
}

/** The table that a field points to; null for users, who are in no table of the model. */
function targetOf(field: Field): string | null {
  return field.type === "link" ? (field.target ?? "") : null;
}

function keyOf(table: string | null, id: string): string {
  return `${table ?? ""}\n${id}`;
}

function tableOfKey(key: string): string | null {
  return key.slice(0, key.indexOf("\n")) || null;
}
