import type { Json } from "../../../shared/filter/filter.ts";
import type { TileFrame, TileLine, TileRow } from "../../../shared/protocol/frame.ts";
import type { TilePlan } from "../plan/scene-plan.ts";
import type { Answer } from "./asked-question.ts";
import { figureValue, joinFigures, orderFigures, suppress } from "./figures.ts";
import type { FindLabel } from "./labels.ts";
import type { Figure } from "./tally.ts";

/** The answers of a tile, by the part of the plan that asked. */
export type TileAnswers = {
  [Part in "total" | "groups" | "series" | "before" | "whole" | "top" | "recent"]?: Answer;
};

/** What a tile shows of its answers; alerts and freshness are added by whoever knows of time. */
export function composeTile(plan: TilePlan, answers: TileAnswers, find: FindLabel): TileFrame {
  const { emptyLabel = "" } = plan;
  const label: FindLabel = (source, key) => (key === null ? emptyLabel : find(source, key));
  const total = joinFigures(figuresOf(answers.total));
  const { suppressBelow = 0, form } = plan;
  if (total.n > 0 && total.n < suppressBelow) return { state: "suppressed" };
  const frame: TileFrame = { state: "ok", value: figureValue(total, form) };
  switch (plan.kind) {
    case "number":
      return {
        ...frame,
        ...(answers.series && { series: lines(plan, answers.series, label) }),
        ...(answers.before && { before: firstBucket(plan, answers.before) }),
      };
    case "trend":
      return { ...frame, series: answers.series ? lines(plan, answers.series, label) : [] };
    case "breakdown":
    case "lights":
      return { ...frame, ...groupRows(plan, answers.groups, label) };
    case "queue":
      return { ...frame, rows: recordRows(plan, answers.top, label) };
    case "activity":
      return { ...frame, rows: changeRows(plan, answers.recent, label) };
    case "progress":
      return { ...frame, target: targetOf(plan, answers.whole) };
    case "clock":
    case "text":
      return frame;
  }
}

function figuresOf(answer: Answer | undefined): Figure[] {
  return answer?.kind === "figures" ? answer.figures : [];
}

function targetOf(plan: TilePlan, whole: Answer | undefined): Json {
  if (!whole) return plan.target ?? null;
  const figure = joinFigures(figuresOf(whole));
  const isTold = figure.n === 0 || figure.n >= (plan.suppressBelow ?? 0);
  return isTold ? figureValue(figure, plan.form) : null;
}

/** What the earlier of two buckets came to. */
function firstBucket({ form, suppressBelow = 0 }: TilePlan, answer: Answer): Json {
  const figure = joinFigures(figuresOf(answer).filter(({ bucket }) => bucket === 0));
  const isTold = figure.n === 0 || figure.n >= suppressBelow;
  return isTold ? figureValue(figure, form) : null;
}

function groupRows(plan: TilePlan, answer: Answer | undefined, label: FindLabel) {
  const figures = figuresOf(answer);
  const others = answer?.kind === "figures" ? answer.others : null;
  const { form, labels, order = [], limit = figures.length, always = [] } = plan;
  const known = new Set(figures.map(({ key }) => key));
  const empty = always
    .filter((key) => !known.has(key))
    .map((key): Figure => ({ key, bucket: null, n: 0, filled: 0, units: 0n, value: null }));
  const { told, joined } = suppress(
    [...figures, ...empty],
    plan.suppressBelow ?? 0,
    others ? [others.figure] : [],
  );
  const inOrder = orderFigures(told, order, form, (key) => label(labels, key), always);
  const beyond = [...joined, ...inOrder.slice(limit)];
  const rows = inOrder.slice(0, limit).map(
    (figure): TileRow => ({
      key: figure.key,
      label: label(labels, figure.key),
      value: figureValue(figure, form),
    }),
  );
  if (beyond.length === 0) return { rows };
  const isAdditive = form.op === "count" || form.op === "sum" || form.op === "avg";
  const value = isAdditive ? figureValue(joinFigures(beyond), form) : null;
  const groups = beyond.length + (others ? others.groups - 1 : 0);
  return { rows, rest: { groups, value } };
}

/** One line; or, with groups, one for each of the largest by what they come to in the whole window. */
function lines(plan: TilePlan, answer: Answer, label: FindLabel): TileLine[] {
  if (answer.kind !== "figures" || !answer.bounds) return [];
  const { form, labels, suppressBelow = 0 } = plan;
  const starts = answer.bounds.slice(0, -1).map((at) => new Date(at).toISOString());
  const byKey = new Map<Json, Figure[]>();
  for (const figure of answer.figures) {
    byKey.set(figure.key, [...(byKey.get(figure.key) ?? []), figure]);
  }
  const isGrouped = answer.figures.some(({ key }) => key !== null) || plan.labels !== undefined;
  const whole = [...byKey.values()].map(joinFigures);
  const keys = isGrouped
    ? orderFigures(whole, ["-n"], form, (key) => label(labels, key))
        .slice(0, plan.limit ?? whole.length)
        .map(({ key }) => key)
    : [null];
  return keys.map((key) => {
    const buckets = new Map((byKey.get(key) ?? []).map((figure) => [figure.bucket, figure]));
    const points = starts.map((at, index) => {
      const figure = buckets.get(index);
      const isTold = !figure || figure.n >= suppressBelow;
      return { at, value: isTold ? figureValue(figure ?? joinFigures([]), form) : null };
    });
    return { key, label: label(labels, key), points };
  });
}

function recordRows(plan: TilePlan, answer: Answer | undefined, label: FindLabel): TileRow[] {
  if (answer?.kind !== "top") return [];
  const chosen = plan.top?.fields ?? [];
  return answer.records.map(({ id, values: held }) => {
    const values = Object.fromEntries(chosen.map((name) => [name, held[name] ?? null]));
    const texts = textsOf(plan, values, label);
    return { key: id, label: nameOf(plan, id, values), value: null, values, texts };
  });
}

function changeRows(plan: TilePlan, answer: Answer | undefined, label: FindLabel): TileRow[] {
  if (answer?.kind !== "recent") return [];
  return answer.changes.map(({ seq, record, values, kind, at, by, fields }) => ({
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
