import type { Json } from "../../../shared/filter/filter.ts";
import { valuesOf } from "../../../shared/model/pick-values.ts";
import type { TileFrame, TileLine, TileRow } from "../../../shared/protocol/frame.ts";
import type { TilePlan } from "../plan/board-plan.ts";
import { joinGroupValues, measureValue, orderGroupValues, suppress } from "./group-values.ts";
import type { FindLabel } from "./labels.ts";
import type { TileResult } from "./live-query.ts";
import type { GroupValue } from "./tally.ts";

/** The results of a tile, by the part of the plan that queried them. */
export type TileResults = {
  [Part in "total" | "groups" | "series" | "before" | "whole" | "top" | "recent"]?: TileResult;
};

/** Composes a tile from its results; alerts and freshness are added by the caller, which knows the time. */
export function composeTile(plan: TilePlan, results: TileResults, find: FindLabel): TileFrame {
  const { emptyLabel = "" } = plan;
  const label: FindLabel = (source, key) => (key === null ? emptyLabel : find(source, key));
  const total = joinGroupValues(groupValuesOf(results.total));
  const { suppressBelow = 0, form } = plan;
  if (total.n > 0 && total.n < suppressBelow) return { state: "suppressed" };
  const frame: TileFrame = { state: "ok", value: measureValue(total, form) };
  switch (plan.kind) {
    case "number":
      return {
        ...frame,
        ...(results.series && { series: lines(plan, results.series, label) }),
        ...(results.before && { before: firstBucket(plan, results.before) }),
      };
    case "trend":
      return { ...frame, series: results.series ? lines(plan, results.series, label) : [] };
    case "breakdown":
    case "lights":
      return { ...frame, ...groupRows(plan, results.groups, label) };
    case "queue":
      return { ...frame, rows: recordRows(plan, results.top, label) };
    case "activity":
      return { ...frame, rows: changeRows(plan, results.recent, label) };
    case "progress":
      return { ...frame, target: targetOf(plan, results.whole) };
    case "clock":
    case "text":
      return frame;
  }
}

function groupValuesOf(result: TileResult | undefined): GroupValue[] {
  return result?.kind === "figures" ? result.groupValues : [];
}

function targetOf(plan: TilePlan, whole: TileResult | undefined): Json {
  if (!whole) return plan.target ?? null;
  const groupValue = joinGroupValues(groupValuesOf(whole));
  const isShown = groupValue.n === 0 || groupValue.n >= (plan.suppressBelow ?? 0);
  return isShown ? measureValue(groupValue, plan.form) : null;
}

/** The value of the earlier of two buckets. */
function firstBucket({ form, suppressBelow = 0 }: TilePlan, result: TileResult): Json {
  const groupValue = joinGroupValues(groupValuesOf(result).filter(({ bucket }) => bucket === 0));
  const isShown = groupValue.n === 0 || groupValue.n >= suppressBelow;
  return isShown ? measureValue(groupValue, form) : null;
}

function groupRows(plan: TilePlan, result: TileResult | undefined, label: FindLabel) {
  const groupValues = groupValuesOf(result);
  const others = result?.kind === "figures" ? result.others : null;
  const { form, labels, order = [], limit = groupValues.length, always = [] } = plan;
  const known = new Set(groupValues.map(({ key }) => key));
  const empty = always
    .filter((key) => !known.has(key))
    .map((key): GroupValue => ({ key, bucket: null, n: 0, filled: 0, units: 0n, value: null }));
  const { shown, joined } = suppress(
    [...groupValues, ...empty],
    plan.suppressBelow ?? 0,
    others ? [others.joined] : [],
  );
  const inOrder = orderGroupValues(shown, order, form, (key) => label(labels, key), always);
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

/** One line; or, with groups, one for each of the largest by their value in the whole window. */
function lines(plan: TilePlan, result: TileResult, label: FindLabel): TileLine[] {
  if (result.kind !== "figures" || !result.bounds) return [];
  const { form, labels, suppressBelow = 0 } = plan;
  const starts = result.bounds.slice(0, -1).map((at) => new Date(at).toISOString());
  const byKey = new Map<Json, GroupValue[]>();
  for (const groupValue of result.groupValues) {
    byKey.set(groupValue.key, [...(byKey.get(groupValue.key) ?? []), groupValue]);
  }
  const isGrouped = result.groupValues.some(({ key }) => key !== null) || plan.labels !== undefined;
  const whole = [...byKey.values()].map(joinGroupValues);
  const keys = isGrouped
    ? orderGroupValues(whole, ["-n"], form, (key) => label(labels, key))
        .slice(0, plan.limit ?? whole.length)
        .map(({ key }) => key)
    : [null];
  return keys.map((key) => {
    const buckets = new Map(
      (byKey.get(key) ?? []).map((groupValue) => [groupValue.bucket, groupValue]),
    );
    const points = starts.map((at, index) => {
      const groupValue = buckets.get(index);
      const isShown = !groupValue || groupValue.n >= suppressBelow;
      return { at, value: isShown ? measureValue(groupValue ?? joinGroupValues([]), form) : null };
    });
    return { key, label: label(labels, key), points };
  });
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
