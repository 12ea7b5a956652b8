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

/** What a canary looks like: a value that occurs once in the world, in one field of one record. */
const canaryPattern = /cnry[0-9]+x/g;

/** What somebody's rights were from a moment on. */
export interface Era {
  from: number;
  role: Role;
  attributes: Record<string, string>;
}

/** Where a value stands; without a record it speaks of the field alone, as a tile of a wallboard does. */
export interface Spot {
  table: string;
  record?: string;
  field: string;
}

interface Canary extends Spot {
  author: string;
  /** The record each time that it held the value. */
  images: Image[];
}

/** What a record may be like; `until` is when it was certainly otherwise, null while it may be so. */
interface Image {
  values: Values;
  until: number | null;
}

/** Promised: a change of rights acts on open connections within this time. What was sent before is received by then. */
const ACTS_WITHIN_MS = 1_000;

/** Answers that show the past of records: for those with the right to their history. */
const historyPaths = /\/history|\/changes/;

/**
 * Who may know which canary at which moment: the test's own reckoning, made of the records' images and
 * the rights that users had. A value may be sent to who can read its field in a record within their scope that
 * holds it now or did a moment ago, by the rights of now or (for as long as they may take to act) of just
 * before; what a record held earlier only to who may read its history. Its author knows it anyway.
 */
export class Knowledge {
  readonly #model: Model;
  readonly #delayMs: () => number;
  readonly #canaries = new Map<string, Canary>();
  readonly #eras = new Map<string, Era[]>();
  readonly #standing = new Map<string, Image[]>();
  #serial = 0;

  /** `delayMs`: by how much this machine delays whatever is received, just now. */
  constructor(model: Model, delayMs: () => number) {
    this.#model = model;
    this.#delayMs = delayMs;
  }

  get count(): number {
    return this.#canaries.size;
  }

  mint(author: string, spot: Spot): string {
    const value = `cnry${++this.#serial}x`;
    this.#canaries.set(value, { author, ...spot, images: [] });
    return value;
  }

  /** Other rights are on their way: they may hold at any moment, and until `begins` also those before. */
  expects(person: string, role: Role, attributes: Record<string, string>): void {
    const eras = this.#eras.get(person) ?? [];
    this.#eras.set(person, [...eras, { from: Number.POSITIVE_INFINITY, role, attributes }]);
  }

  /** What was expected holds from now on. */
  begins(person: string): void {
    const era = this.#eras.get(person)?.at(-1);
    if (era) era.from = performance.now();
  }

  /** A record as it may stand from now on; every canary in it has been in such a record. */
  wrote(table: string, record: string, set: Values): void {
    const key = `${table}/${record}`;
    const images = this.#standing.get(key) ?? [];
    const image: Image = { values: { ...images.at(-1)?.values, ...set }, until: null };
    this.#standing.set(key, [...images, image]);
    for (const value of Object.values(image.values)) {
      if (typeof value === "string") this.#canaries.get(value)?.images.push(image);
    }
  }

  /** The last that is known of a record, also of one that is gone. */
  imageOf(table: string, record: string): Values {
    return this.#standing.get(`${table}/${record}`)?.at(-1)?.values ?? {};
  }

  /** The record is not there any more, or never was. */
  gone(table: string, record: string): void {
    const now = performance.now();
    for (const image of this.#standing.get(`${table}/${record}`) ?? []) image.until ??= now;
  }

  /** The write was answered: what the record was before, it is no more. */
  answered(table: string, record: string): void {
    const key = `${table}/${record}`;
    const images = this.#standing.get(key) ?? [];
    const [last, ...before] = images.toReversed();
    const now = performance.now();
    for (const image of before) image.until ??= now;
    const fresh = before.filter(({ until }) => (until ?? now) >= this.#recently());
    this.#standing.set(key, [...fresh.toReversed(), ...(last ? [last] : [])]);
  }

  /** The canaries in what somebody received just now that they might not see. */
  leaksIn(bytes: string, person: string, from: string): string[] {
    const found = new Set(bytes.match(canaryPattern));
    if (found.size === 0) return [];
    // A frame may hold an activity tile, which is history as well.
    const isHistory = historyPaths.test(from) || bytes.includes('"tiles":{');
    return [...found].filter((value) => !this.#mayKnow(person, value, isHistory));
  }

  /** Why somebody should not have been told a value, for who looks for the fault. */
  tell(value: string, person: string): string {
    const { images = [], ...spot } = this.#canaries.get(value) ?? {};
    return JSON.stringify({ spot, images: images.slice(-3), eras: this.#recentEras(person) });
  }

  /** Whether somebody may be told that a colleague is on a record, and on which field of it. */
  mayMeet(person: string, table: string, record: string, field?: string): boolean {
    const images = this.#standing.get(`${table}/${record}`) ?? [];
    const spot = { table, record, ...(field !== undefined && { field }) };
    return this.#maySee(person, spot, images, false);
  }

  #mayKnow(person: string, value: string, isHistory: boolean): boolean {
    const canary = this.#canaries.get(value);
    if (!canary) return false;
    return canary.author === person || this.#maySee(person, canary, canary.images, isHistory);
  }

  #maySee(
    person: string,
    spot: Partial<Spot>,
    images: readonly Image[],
    isHistory: boolean,
  ): boolean {
    const table = findTable(this.#model, spot.table ?? "") as Table;
    const since = this.#recently();
    const current = images.filter(({ until }) => until === null || until >= since);
    return this.#recentEras(person).some(({ role, attributes }) => {
      const scope = scopeOf({ id: person, role, attributes }, table);
      if (!scope || (spot.field !== undefined && !scope.fields.includes(spot.field))) return false;
      const { record } = spot;
      if (record === undefined) return true;
      const shown = isHistory && mayReadHistory(role, table.name) ? images : current;
      return shown.some(({ values }) => isIn(table, scope.filter, record, values));
    });
  }

  #recently(): number {
    return performance.now() - ACTS_WITHIN_MS - this.#delayMs();
  }

  /** The rights of now, and those that ended too short a time ago to have acted everywhere. */
  #recentEras(person: string): Era[] {
    const eras = this.#eras.get(person) ?? [];
    const since = this.#recently();
    return eras.filter((_, index) => (eras[index + 1]?.from ?? Number.POSITIVE_INFINITY) >= since);
  }
}

function mayReadHistory({ grants }: Role, table: string): boolean {
  return (grants[table] ?? grants["*"])?.history === true;
}

function isIn(table: Table, filter: Filter | null, record: string, image: Values): boolean {
  return !filter || matches(filter, record, image, fieldKinds(table));
}
