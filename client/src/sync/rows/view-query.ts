import { bindFilter, fieldsOf, usesDays } from "../../../../shared/filter/bind-filter.ts";
import { compareByKeys, type OrderLabels } from "../../../../shared/filter/compare.ts";
import type { FieldKinds, Filter, SortKey } from "../../../../shared/filter/filter.ts";
import { compileFilter, type RecordPredicate } from "../../../../shared/filter/matches.ts";
import { readSortKey } from "../../../../shared/filter/sort-key.ts";
import { ID_FIELD } from "../../../../shared/filter/value-kinds.ts";
import { isReference } from "../../../../shared/model/field-types.ts";
import {
  fieldKinds,
  findField,
  findTable,
  type Table,
  type Values,
} from "../../../../shared/model/model.ts";
import { dayZone } from "../../state/day-zone.ts";
import type { CoreContext } from "../core-context.ts";

/** What a view asks for, as the wire has it: `-` before a descending field. */
export interface ViewQuery {
  filter: Filter | null;
  sort: readonly string[];
  search: string;
  /** Time zone of `$today`; that of the user's days unless given. */
  zone?: string;
  /** The view whose order by hand takes the place of the order of entry. Another version of it is another query, and another order. */
  orderOf?: { view: string; version: number };
}

/** A view as a query carries it. */
export function wireView({ filter, sort, search, zone = dayZone(), orderOf }: ViewQuery) {
  const days = filter && usesDays(filter) ? { zone } : {};
  const order = orderOf ? { orderOf: orderOf.view } : {};
  return { filter, sort: [...sort], ...(search === "" ? {} : { search }), ...order, ...days };
}

/** A filter that uses the time is bound again after this long. */
const BINDING_MAX_AGE_MS = 10_000;

export interface ViewRecord {
  id: string;
  values: Readonly<Values>;
}

/**
 * Evaluates membership and order of a view in the browser. Membership is by the same code as the server; only the server can evaluate a
 * search, so that is unknown here. The order is provisional, because that of the server is Postgres' own: its version of the language's
 * order may be another one, and it knows every label. Only it can order records that are equal in all sort fields, and so all records of a
 * view without any: by the order by hand of the view, or that of entry, whose ranks and numbers are not sent, because their gaps would show how many records are hidden from the
 * reader (ADR 58).
 */
export class ViewEvaluator {
  /** 0 for records that are equal in all sort fields, whose order only the server knows; NaN where a label is missing. */
  readonly compare: (a: ViewRecord, b: ViewRecord) => number;
  readonly #view: ViewQuery;
  readonly #kinds: FieldKinds;
  readonly #context: () => CoreContext;
  readonly #now: () => number;
  readonly #mentioned: ReadonlySet<string>;
  readonly #sort;
  readonly #labels: OrderLabels;
  #predicate: RecordPredicate = () => true;
  #boundAt = Number.NEGATIVE_INFINITY;

  constructor(table: string, view: ViewQuery, context: () => CoreContext, now: () => number) {
    const declared = findTable(context().model, table);
    this.#view = view;
    this.#kinds = declared ? fieldKinds(declared) : {};
    this.#context = context;
    this.#now = now;
    this.#sort = view.sort.map(readSortKey);
    this.#labels = declared ? orderLabels(this.#sort, declared, context) : {};
    this.compare = this.#compareBy(this.#sort);
    this.#mentioned = new Set(view.filter ? fieldsOf(view.filter) : []);
  }

  /** Whether the record belongs to the view; null where only the server knows. */
  matches({ id, values }: ViewRecord): boolean | null {
    if (!this.#bound()(id, values)) return false;
    return this.#view.search === "" ? true : null;
  }

  /** Whether a change of these fields can bring a record into the view, or out of it. */
  mayAffect(fields: readonly string[]): boolean {
    return this.#view.search !== "" || fields.some((field) => this.#mentioned.has(field));
  }

  /** Whether a change of these fields can move a record within the view. */
  mayMove(fields: readonly string[]): boolean {
    return this.#sort.some(({ field }) => fields.includes(field));
  }

  /** The values of the sort fields, as a text that is equal where they are. */
  sortText({ id, values }: ViewRecord): string {
    const keys = this.#sort.map(({ field }) => (field === ID_FIELD ? id : (values[field] ?? null)));
    return JSON.stringify(keys);
  }

  /** The order as far as these values decide it: by the sort fields that come first. `isTotal` if they decide it all. */
  orderBy(values: Readonly<Values>): {
    compare: (a: ViewRecord, b: ViewRecord) => number;
    isTotal: boolean;
  } {
    const unknown = this.#sort.findIndex(({ field }) => field !== ID_FIELD && !(field in values));
    if (unknown < 0) return { compare: this.compare, isTotal: true };
    return { compare: this.#compareBy(this.#sort.slice(0, unknown)), isTotal: false };
  }

  #compareBy(sort: readonly SortKey[]) {
    return compareByKeys(sort, this.#kinds, this.#context().textOrder, this.#labels);
  }

  /** Whether every record of the table belongs to the view. */
  get isAll(): boolean {
    return this.#view.filter === null && this.#view.search === "";
  }

  #bound(): RecordPredicate {
    const now = this.#now();
    const { filter } = this.#view;
    // The server's time goes back where this browser's clock turns out to be ahead of it.
    if (filter && Math.abs(now - this.#boundAt) > BINDING_MAX_AGE_MS) {
      const { id, attributes } = this.#context().user;
      const bound = bindFilter(filter, {
        me: { id, attributes },
        now: new Date(now).toISOString(),
        zone: this.#view.zone ?? dayZone(),
      });
      this.#predicate = compileFilter(bound, this.#kinds);
      this.#boundAt = now;
    }
    return this.#predicate;
  }
}

function orderLabels(
  sort: readonly SortKey[],
  table: Table,
  context: () => CoreContext,
): OrderLabels {
  const labelled = sort.flatMap(({ field: name }) => {
    const field = findField(table, name);
    return field && isReference(field.type) ? [field] : [];
  });
  return Object.fromEntries(
    labelled.map((field) => [field.name, (id: string) => context().labelOf?.(field, id)]),
  );
}
