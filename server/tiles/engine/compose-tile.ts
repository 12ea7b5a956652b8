import type { Json } from "../../../shared/filter/filter.ts";
import { valuesOf } from "../../../shared/model/pick-values.ts";
import type { TileFrame, TileLine, TileRow } from "../../../shared/protocol/frame.ts";
import type { TilePlan } from "../plan/wallboard-plan.ts";
import {
  isSmall,
  joinGroupValues,
  measureValue,
  orderGroupValues,
  suppress,
} from "./group-values.ts";
import type { FindLabel } from "./labels.ts";
import type { TileResult } from "./live-query.ts";
import { emptyGroup, type GroupValue } from "./tally.ts";

/** The results of a tile, by the part of the plan that queried them. */
export type TileResults = {
  [Part in "total" | "groups" | "series" | "before" | "whole" | "top" | "recent"]?: TileResult;
};

/** Composes a tile from its results; alerts and freshness are added by the caller, which knows the time. */
export function composeTile(plan: TilePlan, read: TileResults, find: FindLabel): TileFrame {
  const { emptyLabel = "" } = plan;
  const hidesFew = plan.suppressBelow !== undefined && plan.form.op !== "count";
  const results: TileResults = hidesFew
    ? Object.fromEntries(Object.entries(read).map(([part, one]) => [part, ofFilled(one)]))
    : read;
  const label: FindLabel = (source, key) => (key === null ? emptyLabel : find(source, key));
  const total = joinGroupValues(groupValuesOf(results.total));
  const { suppressBelow, form } = plan;
  if (isSmall(total.n, suppressBelow)) return { state: "suppressed" };
  const frame: TileFrame = { state: "ok", value: measureValue(total, form) };
  switch (plan.kind) {
    case "number": {
      const series = results.series && lines(plan, total, results.series, label);
      const before = results.before && firstBucket(plan, results.before, results.series, series);
      return { ...frame, ...(series && { series }), ...(before !== undefined && { before }) };
    }
    case "trend":
      return { ...frame, series: lines(plan, total, results.series, label) };
    case "breakdown":
    case "lights":
      return { ...frame, ...groupRows(plan, results.groups, label) };
    case "queue":
      return { ...frame, ...queueRows(plan, results.top, total, label) };
    case "activity":
      return { ...frame, rows: changeRows(plan, results.recent, label) };
    case "progress":
      return { ...frame, target: targetOf(plan, total, results.whole) };
    case "clock":
    case "text":
      return frame;
  }
}

/** The result as if only records with a value of the measured field existed: a sum of many may be the value of one. */
function ofFilled(result: TileResult): TileResult {
  if (result.kind !== "figures") return result;
  const { groupValues, others } = result;
  const counted = (one: GroupValue) => ({ ...one, n: one.filled });
  return {
    ...result,
    groupValues: groupValues.map(counted),
    others: others && { ...others, joined: counted(others.joined) },
  };
}

function groupValuesOf(result: TileResult | undefined): GroupValue[] {
  return result?.kind === "figures" ? result.groupValues : [];
}

function targetOf(plan: TilePlan, total: GroupValue, whole: TileResult | undefined): Json {
  if (!whole) return plan.target ?? null;
  const groupValue = joinGroupValues(groupValuesOf(whole));
  // The rest could be subtracted.
  const parts = [groupValue.n, Math.abs(groupValue.n - total.n)];
  const isShown = !parts.some((n) => isSmall(n, plan.suppressBelow));
  return isShown ? measureValue(groupValue, plan.form) : null;
}

/** The value of the earlier of two buckets, of which `series` has the whole as its last point but one. */
function firstBucket(
  { form, suppressBelow }: TilePlan,
  result: TileResult,
  series: TileResult | undefined,
  [line]: TileLine[] = [],
): Json {
  const groupValue = joinGroupValues(groupValuesOf(result).filter(({ bucket }) => bucket === 0));
  const place = (line?.points.length ?? 0) - 2;
  const whole = groupValuesOf(series).find(({ bucket }) => bucket === place);
  const parts = [groupValue.n, whole ? whole.n - groupValue.n : 0];
  const isHidden = line?.points[place]?.value === null;
  if (isHidden || parts.some((n) => isSmall(n, suppressBelow))) return null;
  return measureValue(groupValue, form);
}

function groupRows(plan: TilePlan, result: TileResult | undefined, label: FindLabel) {
  const groupValues = groupValuesOf(result);
  const others = result?.kind === "figures" ? result.others : null;
  const { form, labels, order = [], limit = groupValues.length, always = [] } = plan;
  const known = new Set(groupValues.map(({ key }) => key));
  const empty = always.filter((key) => !known.has(key)).map((key) => emptyGroup(key));
  const { shown, joined } = suppress(
    [...groupValues, ...empty],
    plan.suppressBelow,
    others ? [others.joined] : [],
  );
  const inOrder = orderGroupValues(shown, order, plan, (key) => label(labels, key), always);
  // A line "1 other" would take the place of its name.
  const isOneBeyond = inOrder.length === limit + 1 && joined.length === 0;
  const end = isOneBeyond ? limit + 1 : limit;
  const beyond = [...joined, ...inOrder.slice(end)];
  const rows = inOrder.slice(0, end).map(
    (groupValue): TileRow => ({
      key: groupValue.key,
      label: label(labels, groupValue.key),
      value: measureValue(groupValue, form),
    }),
  );
  if (beyond.length === 0) return { rows };
  const isAdditive = form.op === "count" || form.op === "sum" || form.op === "avg";
  const value = isAdditive ? measureValue(joinGroupValues(beyond), form) : null;
  const groups = beyond.length + (others ? others.groups - 1 : 0);
  return { rows, rest: { groups, value } };
}

/** One line; or, with groups, one for each of the largest by their value in the whole window. Small groups have none. */
function lines(
  plan: TilePlan,
  total: GroupValue,
  result: TileResult | undefined,
  label: FindLabel,
): TileLine[] {
  if (result?.kind !== "figures" || !result.bounds) return [];
  const { form, labels, suppressBelow } = plan;
  const starts = result.bounds.slice(0, -1).map((at) => new Date(at).toISOString());
  const byKey = new Map<Json, GroupValue[]>();
  for (const groupValue of result.groupValues) {
    byKey.set(groupValue.key, [...(byKey.get(groupValue.key) ?? []), groupValue]);
  }
  const isGrouped = result.groupValues.some(({ key }) => key !== null) || plan.labels !== undefined;
  const beyond = total.n - joinGroupValues(result.groupValues).n;
  // Of the total but not in the window.
  const others = isSmall(beyond, suppressBelow) ? [{ ...total, n: beyond }] : [];
  const whole = suppress([...byKey.values()].map(joinGroupValues), suppressBelow, others).shown;
  const keys = isGrouped
    ? orderGroupValues(whole, ["-n"], plan, (key) => label(labels, key))
        .slice(0, plan.limit ?? whole.length)
        .map(({ key }) => key)
    : [null];
  return keys.map((key) => {
    const groupValues = byKey.get(key) ?? [];
    const buckets = new Map(groupValues.map((groupValue) => [groupValue.bucket, groupValue]));
    const inOrder = groupValues.toSorted((a, b) => (a.bucket ?? 0) - (b.bucket ?? 0));
    // The total of the hidden ones may be known by subtraction: they are not few records together either.
    const { shown } = suppress(inOrder, suppressBelow, isGrouped ? [] : others);
    const points = starts.map((at, index) => {
      const groupValue = buckets.get(index);
      const isShown = !groupValue || shown.includes(groupValue);
      return { at, value: isShown ? measureValue(groupValue ?? joinGroupValues([]), form) : null };
    });
    return { key, label: label(labels, key), points };
  });
}

/** The first records, and how many others the tile counts. */
function queueRows(
  plan: TilePlan,
  result: TileResult | undefined,
  { n }: GroupValue,
  label: FindLabel,
): Pick<TileFrame, "rows" | "rest"> {
  const rows = recordRows(plan, result, label);
  const others = n - rows.length;
  return { rows, ...(others > 0 && { rest: { groups: others, value: null } }) };
}

function recordRows(plan: TilePlan, result: TileResult | undefined, label: FindLabel): TileRow[] {
  if (result?.kind !== "top") return [];
  const chosen = plan.top?.fields ?? [];
  return result.records.map(({ id, values: stored }) => {
    const values = valuesOf(stored, chosen);
    const texts = textsOf(plan, values, label);
    return { key: id, label: nameOf(plan, id, values), value: null, values, texts };
  });
}

function changeRows(plan: TilePlan, result: TileResult | undefined, label: FindLabel): TileRow[] {
  if (result?.kind !== "recent") return [];
  return result.changes.map(({ seq, record, values, kind, at, by, fields }) => ({
    key: String(seq),
    label: nameOf(plan, record, values),
    value: null,
    values,
    texts: textsOf(plan, values, label),
    change: { kind, at, fields, ...(plan.people && { by }) },
  }));
}

function nameOf({ display }: TilePlan, id: string, values: Record<string, Json>): string {
  const name = display ? values[display] : null;
  return name === null || name === undefined ? id : String(name);
}

function textsOf({ texts = {} }: TilePlan, values: Record<string, Json>, label: FindLabel) {
  const found = Object.entries(texts).flatMap(([name, source]) => {
    const value = values[name] ?? null;
    if (value === null) return [];
    const keys = Array.isArray(value) ? value : [value];
    return [[name, keys.map((key) => label(source, key)).join(", ")]];
  });
  return Object.fromEntries(found) as Record<string, string>;
}
