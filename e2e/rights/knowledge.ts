import type { Filter } from "../../shared/filter/filter.ts";
import { matches } from "../../shared/filter/matches.ts";
import {
  fieldKinds,
  findTable,
  type Model,
  type Table,
  type Values,
} from "../../shared/model/model.ts";
import type { Role } from "../../shared/policy/role.ts";
import { scopeOf } from "../../shared/policy/scope.ts";

/** A canary: a value that occurs once in the world, in one field of one record. */
const canaryPattern = /cnry[0-9]+x/g;

/** A user's rights from a moment on. */
export interface RightsPeriod {
  from: number;
  role: Role;
  attributes: Record<string, string>;
}

/** Where a value is stored; without a record it concerns the field alone, as in a tile of a wallboard. */
export interface ValueLocation {
  table: string;
  record?: string;
  /** Absent for a comment, which everybody may read who reads the record, and for the name of a table. */
  field?: string;
}

interface Canary extends ValueLocation {
  author: string;
  /** The record each time that it held the value. */
  images: Image[];
}

/** A possible state of a record; `until` is when it certainly ended, null while it may be current. */
interface Image {
  values: Values;
  until: number | null;
}

/** Promised: a change of rights acts on open connections within this time. What was sent before is received by then. */
const ACTS_WITHIN_MS = 1_000;

/**
 * What an answer shows of a record: as it is; as it was, to readers of its history; or the changes that a webhook of the
 * reader's was to send, each as it was logged, by the reader's rights of now.
 */
type Shown = "current" | "history" | "events";

/** Answers that show the past of records: for those with the right to their history. */
const historyPaths = /\/history|\/changes|\/change-sets|\/inbox/;

/**
 * Who may know which canary at which moment: computed by the test itself, from the records' images and the
 * rights that users had. A value may be sent to users who can read its field in a record within their scope
 * that holds it now or did a moment ago, by current rights or (for as long as they may take to act) the
 * previous ones; what a record held earlier only to users who may read its history. Its author knows it
 * anyway.
 */
export class Knowledge {
  readonly #model: Model;
  readonly #delayMs: () => number;
  readonly #canaries = new Map<string, Canary>();
  readonly #periods = new Map<string, RightsPeriod[]>();
  readonly #images = new Map<string, Image[]>();
  /** Values that users have sent, by user and value. */
  readonly #sent = new Set<string>();
  #serial = 0;

  /** `delayMs`: by how much this machine delays whatever is received, just now. */
  constructor(model: Model, delayMs: () => number) {
    this.#model = model;
    this.#delayMs = delayMs;
  }

  get count(): number {
    return this.#canaries.size;
  }

  createCanary(author: string, location: ValueLocation): string {
    const value = `cnry${++this.#serial}x`;
    this.#canaries.set(value, { author, ...location, images: [] });
    return value;
  }

  /** Canaries in the names of a table or field, known to everybody who reads it. */
  addNames(text: string, location: ValueLocation): void {
    for (const value of text.match(canaryPattern) ?? []) {
      this.#canaries.set(value, { author: "boss", ...location, images: [] });
    }
  }

  /** A user has sent what they could read, as the base of an op: an author sees the ops of a set as they were given. */
  recordSent(user: string, values: Values): void {
    for (const value of Object.values(values)) this.#sent.add(`${user} ${value}`);
  }

  /** Other rights are in flight: they may take effect at any moment, and until `begins` the former ones too. */
  expectRights(user: string, role: Role, attributes: Record<string, string>): void {
    const periods = this.#periods.get(user) ?? [];
    this.#periods.set(user, [...periods, { from: Number.POSITIVE_INFINITY, role, attributes }]);
  }

  /** What was expected holds from now on. */
  applyRights(user: string): void {
    const period = this.#periods.get(user)?.at(-1);
    if (period) period.from = performance.now();
  }

  /** A record as it may be stored from now on; every canary in it has been in such a record. */
  recordWrite(table: string, record: string, set: Values): void {
    const key = `${table}/${record}`;
    const images = this.#images.get(key) ?? [];
    const image: Image = { values: { ...images.at(-1)?.values, ...set }, until: null };
    this.#images.set(key, [...images, image]);
    for (const value of Object.values(image.values)) {
      if (typeof value === "string") this.#canaries.get(value)?.images.push(image);
    }
  }

  /** The last known state of a record, also of a deleted one. */
  imageOf(table: string, record: string): Values {
    return this.#images.get(`${table}/${record}`)?.at(-1)?.values ?? {};
  }

  /** The record does not exist any more, or never did. */
  markDeleted(table: string, record: string): void {
    const now = performance.now();
    for (const image of this.#images.get(`${table}/${record}`) ?? []) image.until ??= now;
  }

  /** The write was answered: the record's former state has ended. */
  recordAnswered(table: string, record: string): void {
    const key = `${table}/${record}`;
    const images = this.#images.get(key) ?? [];
    const [last, ...before] = images.toReversed();
    const now = performance.now();
    for (const image of before) image.until ??= now;
    const fresh = before.filter(({ until }) => (until ?? now) >= this.#recently());
    this.#images.set(key, [...fresh.toReversed(), ...(last ? [last] : [])]);
  }

  /** The canaries that a user received just now and may not see. */
  leaksIn(bytes: string, user: string, from: string): string[] {
    const found = new Set(bytes.match(canaryPattern));
    if (found.size === 0) return [];
    // A frame may hold an activity tile, which is history as well.
    const isHistory = historyPaths.test(from) || bytes.includes('"tiles":{');
    const shows = from === "webhook" ? "events" : isHistory ? "history" : "current";
    return [...found].filter((value) => !this.#mayReceive(user, value, shows));
  }

  /** Why a user should not have received a value, for debugging. */
  explainLeak(value: string, user: string): string {
    const { images = [], ...location } = this.#canaries.get(value) ?? {};
    return JSON.stringify({
      spot: location,
      images: images.slice(-3),
      periods: this.#recentPeriods(user),
    });
  }

  /**
   * Whether a user may see that a colleague is on a record, and on which field of it. Who reads all records is shown it on
   * a deleted one too.
   */
  maySeePresence(user: string, table: string, record: string, field?: string): boolean {
    const images = this.#images.get(`${table}/${record}`) ?? [];
    const ofField = { table, ...(field !== undefined && { field }) };
    return (
      this.#maySee(user, { ...ofField, record }, images, "current") ||
      (this.#readsAll(user, table) && this.#maySee(user, ofField, [], "current"))
    );
  }

  #readsAll(user: string, name: string): boolean {
    const table = findTable(this.#model, name) as Table;
    return this.#recentPeriods(user).some(
      ({ role, attributes }) => scopeOf({ id: user, role, attributes }, table)?.filter === null,
    );
  }

  /** Why a user should not have been shown a colleague on a record: when its states and the rights ended. */
  explainPresence(user: string, table: string, record: string): string {
    const now = performance.now();
    const images = (this.#images.get(`${table}/${record}`) ?? []).slice(-3);
    const ended = images.map(({ until, values }) => ({ endedMsAgo: until && now - until, values }));
    const periods = (this.#periods.get(user) ?? []).slice(-2).map(({ from, role, attributes }) => {
      return { fromMsAgo: now - from, read: role.grants[table]?.read, attributes };
    });
    return JSON.stringify({ ended, periods, delayMs: this.#delayMs() });
  }

  #mayReceive(user: string, value: string, shown: Shown): boolean {
    const canary = this.#canaries.get(value);
    if (!canary) return false;
    if (canary.field === undefined && canary.record !== undefined)
      return this.#mayReadComment(user, canary);
    const isOwn = canary.author === user || this.#sent.has(`${user} ${value}`);
    return isOwn || this.#maySee(user, canary, canary.images, shown);
  }

  /** Comments are read with the record as it is or, with the right to its history, as it was deleted. */
  #mayReadComment(user: string, canary: Canary): boolean {
    const images = this.#images.get(`${canary.table}/${canary.record}`) ?? [];
    if (this.#maySee(user, canary, images, "current")) return true;
    const isDeleted = images.every(({ until }) => until !== null);
    return isDeleted && this.#maySee(user, canary, images.slice(-1), "history");
  }

  #maySee(
    user: string,
    location: Partial<ValueLocation>,
    images: readonly Image[],
    kind: Shown,
  ): boolean {
    const table = findTable(this.#model, location.table ?? "") as Table;
    const since = this.#recently();
    const current = images.filter(({ until }) => until === null || until >= since);
    return this.#recentPeriods(user).some(({ role, attributes }) => {
      const scope = scopeOf({ id: user, role, attributes }, table);
      if (!scope || (location.field !== undefined && !scope.fields.includes(location.field)))
        return false;
      const { record } = location;
      if (record === undefined) return true;
      const showsPast =
        kind === "events" || (kind === "history" && mayReadHistory(role, table.name));
      const shown = showsPast ? images : current;
      return shown.some(({ values }) => isIn(table, scope.filter, record, values));
    });
  }

  #recently(): number {
    return performance.now() - ACTS_WITHIN_MS - this.#delayMs();
  }

  /** The current rights, and those that ended too recently to have taken effect everywhere. */
  #recentPeriods(user: string): RightsPeriod[] {
    const periods = this.#periods.get(user) ?? [];
    const since = this.#recently();
    return periods.filter(
      (_, index) => (periods[index + 1]?.from ?? Number.POSITIVE_INFINITY) >= since,
    );
  }
}

function mayReadHistory({ grants }: Role, table: string): boolean {
  return (grants[table] ?? grants["*"])?.history === true;
}

function isIn(table: Table, filter: Filter | null, record: string, image: Values): boolean {
  return !filter || matches(filter, record, image, fieldKinds(table));
}
