import type { Filter } from "../../../shared/filter/filter.ts";
import { agoSeconds } from "../../../shared/filter/operand.ts";
import { readSortKey } from "../../../shared/filter/sort-key.ts";
import type { TextOrder } from "../../../shared/filter/text-order.ts";
import { kindOfType } from "../../../shared/model/field-types.ts";
import {
  type Field,
  findField,
  findTable,
  type Model,
  type Table,
} from "../../../shared/model/model.ts";
import { checkTile } from "../../../shared/model/wallboard/check-tile.ts";
import type { DataTile } from "../../../shared/model/wallboard/tile.ts";
import { shownFields, tileNeeds } from "../../../shared/model/wallboard/tile-needs.ts";
import { orderTerms, type Time } from "../../../shared/model/wallboard/tile-parts.ts";
import { bucketAgo, trendFilter } from "../../../shared/model/wallboard/trend-filter.ts";
import { modelOf, type Reader } from "../reader.ts";
import { boundSubject, type MeasureQuery, type TopRecordsQuery } from "./tile-query.ts";
import type { LabelSource, MeasureForm, TilePlan } from "./wallboard-plan.ts";

export interface PlanContext {
  reader: Reader;
  model: Model;
  /** The wallboard's zone. */
  zone: string;
  /** How the database orders texts. */
  textOrder: TextOrder;
}

/** The queries of a tile, in the reader's scope. */
export function planTile(tile: DataTile, context: PlanContext): TilePlan {
  const { reader, model } = context;
  const { id, kind } = tile;
  const base = { id, kind, thresholds: tile.thresholds ?? [], form: countForm };
  const state = stateOf(tile, context);
  const table = findTable(model, tile.table);
  if (state || !table) return { ...base, state: state ?? "failed" };
  const scope = reader.scopeOf(table);
  const visible = findTable(modelOf(reader, model), tile.table) ?? table;
  const builder = new TileQueryBuilder(tile, visible, scope?.filter ?? null, context);
  const span = tile.expectEvery === undefined ? null : agoSeconds(tile.expectEvery);
  return {
    ...base,
    form: formOf(tile, visible),
    textOrder: context.textOrder,
    ...(span !== null && { expectEverySeconds: span }),
    ...(tile.suppressBelow !== undefined && { suppressBelow: tile.suppressBelow }),
    ...byKind(tile, builder),
  };
}

function isByLargest(order: Parameters<typeof orderTerms>[0]): boolean {
  const [first = "-value"] = orderTerms(order);
  return first === "-value";
}

const countForm: MeasureForm = { op: "count", scale: 0, isWhole: true };

function byKind(tile: DataTile, builder: TileQueryBuilder): Partial<TilePlan> {
  const total = builder.measureQuery({});
  switch (tile.kind) {
    case "number":
      return { total, ...(tile.trend && builder.trendQueries(tile.trend, tile.filter ?? null)) };
    case "trend":
      return {
        total,
        series: builder.measureQuery({ time: tile.time, group: tile.group ?? null }),
        ...(tile.group !== undefined && builder.labels(tile.group)),
        limit: tile.limit,
      };
    case "breakdown":
    case "lights":
      return {
        total,
        groups: builder.measureQuery({ group: tile.group, largest: isByLargest(tile.order) }),
        ...builder.labels(tile.group),
        ...(tile.kind === "lights" && builder.always(tile.group)),
        order: orderTerms(tile.order),
        limit: tile.limit,
      };
    case "queue":
      return { total, ...builder.top(orderTerms(tile.order), tile.limit) };
    case "activity":
      return { total, ...builder.recent(tile.limit), people: tile.people ?? false };
    case "progress":
      return {
        total,
        ...(tile.target !== undefined && { target: tile.target }),
        ...(tile.of && { whole: builder.measureQuery({ filter: tile.of.filter ?? null }) }),
      };
  }
}

/** Hidden if rights are missing; failed if the model no longer fits the tile. */
function stateOf(tile: DataTile, { reader, model }: PlanContext): TilePlan["state"] {
  const table = findTable(model, tile.table);
  const scope = table && reader.scopeOf(table);
  if (table && (!scope || (tile.kind === "activity" && !reader.showsHistory(table))))
    return "hidden";
  if (checkTile(tile, modelOf(reader, model)).length === 0) return undefined;
  const unreadable = tileNeeds(tile, model).fields.filter((name) => !scope?.fields.includes(name));
  return unreadable.some((name) => table && findField(table, name)) ? "hidden" : "failed";
}

function formOf({ measure }: DataTile, table: Table): MeasureForm {
  const field = measure.field === undefined ? undefined : findField(table, measure.field);
  if (!field || measure.op === "distinct") return { ...countForm, op: measure.op };
  const isWhole = kindOfType[field.type] === "integer";
  return { op: measure.op, scale: isWhole ? 0 : (field.scale ?? 2), isWhole };
}

/** The queries of one tile on one table. */
class TileQueryBuilder {
  readonly #tile: DataTile;
  readonly #table: Table;
  readonly #scope: Filter | null;
  readonly #context: PlanContext;

  constructor(tile: DataTile, table: Table, scope: Filter | null, context: PlanContext) {
    this.#tile = tile;
    this.#table = table;
    this.#scope = scope;
    this.#context = context;
  }

  measureQuery(by: {
    group?: string | null;
    time?: Time;
    filter?: Filter | null;
    /** Only the largest groups matter: the others may be combined. */
    largest?: boolean;
  }): MeasureQuery {
    const { measure } = this.#tile;
    const { group = null, time = null, largest = false } = by;
    return {
      kind: "figures",
      ...this.#baseQuery(by.filter === undefined ? (this.#tile.filter ?? null) : by.filter),
      op: measure.op,
      field: measure.field ?? null,
      percentile: measure.percentile ?? 50,
      group,
      time,
      ...(largest && { largest }),
    };
  }

  /** The buckets of a trend, and the previous bucket up to the same moment as the current one. */
  trendQueries(time: Time, own: Filter | null): Partial<TilePlan> {
    const filter = trendFilter(own, time.field);
    const series = this.measureQuery({ time, filter });
    const ago = bucketAgo[time.bucket];
    const field = findField(this.#table, time.field);
    if (ago === null || !field || kindOfType[field.type] === "date") return { series };
    const earlier: Filter = { field: time.field, op: "lt", value: { ago } };
    const before = this.measureQuery({
      time: { ...time, count: 2 },
      filter: filter ? { and: [filter, earlier] } : earlier,
    });
    return { series, before };
  }

  top(terms: string[], limit: number): Partial<TilePlan> {
    const order = terms.length > 0 ? terms : this.#table.sort;
    const sort = order.map(readSortKey).filter(({ field }) => findField(this.#table, field));
    const { fields, ...shown } = this.#rows();
    const base = this.#baseQuery(this.#tile.filter ?? null);
    const sources = this.#labelSources(sort.map(({ field }) => field));
    const labels = Object.fromEntries(
      Object.entries(sources).filter(([, { kind }]) => kind !== "options"),
    ) as TopRecordsQuery["labels"];
    const { textOrder } = this.#context;
    const top = { kind: "top", ...base, sort, labels, textOrder, limit, fields } as const;
    return { top, limit, ...shown };
  }

  recent(limit: number): Partial<TilePlan> {
    const { fields, ...shown } = this.#rows();
    const base = this.#baseQuery(this.#tile.filter ?? null);
    const visible = this.#table.fields.map(({ name }) => name);
    return { recent: { kind: "recent", ...base, limit, fields, visible }, limit, ...shown };
  }

  labels(group: string): Pick<TilePlan, "labels" | "emptyLabel"> {
    const field = findField(this.#table, group);
    const source = this.#labelSource(field);
    return { ...(field && { emptyLabel: emptyLabel(field) }), ...(source && { labels: source }) };
  }

  /** A light that is out must not look like a missing one. */
  always(group: string): { always?: string[] } {
    const options = findField(this.#table, group)?.options;
    return options ? { always: options.map(({ value }) => value) } : {};
  }

  #baseQuery(filter: Filter | null) {
    const { reader, model, zone } = this.#context;
    return {
      model: model.version,
      table: this.#table.name,
      scope: this.#scope,
      filter,
      me: boundSubject(filter, reader.me),
      zone: this.#tile.zone ?? zone,
    };
  }

  #rows() {
    const { kind } = this.#tile;
    const { display } = this.#table;
    const tile = kind === "queue" || kind === "activity" ? this.#tile : null;
    const fields = tile ? shownFields(tile, display) : [];
    const texts = this.#labelSources(fields);
    return { fields, texts, display: fields.includes(display) ? display : null };
  }

  #labelSources(fields: readonly string[]): Record<string, LabelSource> {
    return Object.fromEntries(
      fields.flatMap((name) => {
        const source = this.#labelSource(findField(this.#table, name));
        return source ? [[name, source]] : [];
      }),
    );
  }

  #labelSource(field: Field | undefined): LabelSource | null {
    if (!field) return null;
    if (field.type === "boolean") return { kind: "options", words: { true: "Yes", false: "No" } };
    if (field.options) {
      const words = field.options.map(({ value, label }) => [value, label ?? value]);
      return { kind: "options", words: Object.fromEntries(words) };
    }
    if (field.type === "person") return { kind: "people" };
    const { model, reader } = this.#context;
    const target = field.target === undefined ? undefined : findTable(model, field.target);
    const scope = target && reader.scopeOf(target);
    if (!target || !scope?.fields.includes(target.display)) return null;
    return { kind: "records", table: target.name, display: target.display, scope: scope.filter };
  }
}

/** The label of the group of the records without a value: "No assignee". */
function emptyLabel({ label, type }: Field): string {
  if (type === "boolean") return `${label}: not set`;
  const [first = "", second = ""] = label;
  const isWord = second === second.toLowerCase();
  return `No ${isWord ? first.toLowerCase() + label.slice(1) : label}`;
}
