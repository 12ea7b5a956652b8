import type { Json } from "../../../../shared/filter/filter.ts";
import type { PreviewItem, Resolution } from "../../../../shared/protocol/change-sets.ts";
import type { FieldConflict, FieldProblem } from "../../../../shared/protocol/errors.ts";
import type { WireOp } from "../../../../shared/protocol/mutate.ts";
import { rest } from "../../transport/rest/rest.ts";

const READ_LIMIT = 1_000;
const RESOLVED_AT_ONCE = 1_000;

/** The conflicting cells of an op, by field; empty if it does not conflict. */
export function clashingCells({ errors }: PreviewItem): [string, FieldConflict][] {
  const [error] = errors;
  const isConflict = error?.code === "conflict" && typeof error.fields === "object";
  return isConflict ? Object.entries(error.fields as Record<string, FieldConflict>) : [];
}

/** The errors that say what is wrong in which field. */
const inFields = ["validation_failed", "link_broken", "duplicate"];

/** What is wrong with the cells of an op, by field. */
export function fieldProblemsOf({ errors }: PreviewItem): Record<string, FieldProblem> {
  const refused = errors.filter(({ code }) => inFields.includes(code));
  return Object.assign({}, ...refused.map(({ fields }) => fields ?? {}));
}

/** The errors that no cell of these fields shows. */
export function otherErrors(
  { errors }: PreviewItem,
  fields: readonly string[],
): PreviewItem["errors"] {
  return errors.filter(({ code, fields: named }) => {
    const names = Object.keys((named as object | undefined) ?? {});
    return !inFields.includes(code) || !names.some((name) => fields.includes(name));
  });
}

/** Whether another value can take the place of one that is refused: of a transition it is the state that is. */
export function isCorrectable({ op, after }: PreviewItem): boolean {
  return (op === "create" || op === "update") && after !== null;
}

/** The op with another value in a field. */
function corrected(item: PreviewItem, field: string, value: Json): { index: number; op: WireOp } {
  const { index, table, record, before, after } = item;
  const all = Object.entries({ ...after, [field]: value });
  if (item.op === "create") {
    const values = Object.fromEntries(all.filter(([, one]) => one !== null));
    return { index, op: { op: "create", table, record, values } };
  }
  const base = Object.fromEntries(all.map(([name]) => [name, before?.[name] ?? null]));
  return { index, op: { op: "update", table, record, set: Object.fromEntries(all), base } };
}

/** Mends a cell of an op, or the cells of all ops that are refused for the same value in the same field. */
export async function correct(
  id: string,
  item: PreviewItem,
  [field, value]: [string, Json],
  isForAll: boolean,
): Promise<void> {
  const wrong = JSON.stringify(item.after?.[field] ?? null);
  const isSame = (one: PreviewItem) =>
    one.table === item.table &&
    isCorrectable(one) &&
    fieldProblemsOf(one)[field] !== undefined &&
    JSON.stringify(one.after?.[field] ?? null) === wrong;
  const items = isForAll ? (await readFailing(id)).filter(isSame) : [item];
  for (let at = 0; at < items.length; at += RESOLVED_AT_ONCE) {
    const replace = items
      .slice(at, at + RESOLVED_AT_ONCE)
      .map((one) => corrected(one, field, value));
    await rest("PATCH /change-sets/{id}", { params: { id }, body: { replace } });
  }
}

/** A cell of a rejected row, with its text of now. */
export interface RejectedCell {
  line: number;
  field: string;
  text: string;
}

/** Mends a cell of a rejected row, or the cells of all rows that are rejected for the same text in the same field: part by part, as they may be very many. */
export async function correctRejected(
  id: string,
  { line, field, text }: RejectedCell,
  value: Json,
  isForAll: boolean,
): Promise<void> {
  const send = (rows: { line: number } | { after: number }) =>
    rest("PATCH /change-sets/{id}/rejects", {
      params: { id },
      body: { field, text, value, ...rows },
    });
  if (!isForAll) {
    await send({ line });
    return;
  }
  for (let after: number | null = 0; after !== null; ) after = (await send({ after })).next;
}

/** A page of the rejected rows of a set's file. */
export type RejectedPage = Awaited<ReturnType<typeof readRejected>>;

/** So many rejected rows, without the first ones: long rows come in several answers. */
export async function readRejected(id: string, offset: number, count: number) {
  const read = (query: { offset?: number; after?: number; limit: number }) =>
    rest("GET /change-sets/{id}/rejects", { params: { id }, query });
  const page = await read({ offset, limit: count });
  const items = [...page.items];
  for (let last = items.at(-1); last && items.length < count; ) {
    const more = await read({ after: last.line, limit: count - items.length });
    items.push(...more.items);
    last = more.items.at(-1);
  }
  return { ...page, items };
}

/** Decides a conflicting cell on the base of the value that was shown. */
export function resolutionOf(
  { index }: PreviewItem,
  [field, { theirs }]: [string, FieldConflict],
  keep: Resolution["keep"],
): Resolution {
  return { index, field, keep, theirs: (theirs ?? null) as Json };
}

/** All ops of a draft that can't be applied, by pages of one evaluation. */
export async function readFailing(id: string): Promise<PreviewItem[]> {
  const found: PreviewItem[] = [];
  for (;;) {
    const { items, total } = await rest("GET /change-sets/{id}/preview", {
      params: { id },
      query: { status: "error", offset: found.length, limit: READ_LIMIT },
    });
    found.push(...items);
    if (items.length === 0 || found.length >= total) return found;
  }
}

/** Decides all conflicts of a draft alike. A deletion can only give way to the later edit. */
export async function resolveAll(id: string, keep: Resolution["keep"]): Promise<void> {
  const failing = await readFailing(id);
  const resolve = failing
    .filter(({ op }) => keep === "theirs" || op !== "delete")
    .flatMap((item) => clashingCells(item).map((cell) => resolutionOf(item, cell, keep)));
  for (let at = 0; at < resolve.length; at += RESOLVED_AT_ONCE) {
    const body = { resolve: resolve.slice(at, at + RESOLVED_AT_ONCE) };
    await rest("PATCH /change-sets/{id}", { params: { id }, body });
  }
}
