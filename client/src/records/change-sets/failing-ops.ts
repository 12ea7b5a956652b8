import type { Json } from "../../../../shared/filter/filter.ts";
import type { PreviewItem, Resolution } from "../../../../shared/protocol/change-sets.ts";
import type { FieldConflict } from "../../../../shared/protocol/errors.ts";
import { rest } from "../../transport/rest/rest.ts";

const READ_LIMIT = 1_000;
const RESOLVED_AT_ONCE = 1_000;

/** The conflicting cells of an op, by field; empty if it does not conflict. */
export function clashingCells({ errors }: PreviewItem): [string, FieldConflict][] {
  const [error] = errors;
  const isConflict = error?.code === "conflict" && typeof error.fields === "object";
  return isConflict ? Object.entries(error.fields as Record<string, FieldConflict>) : [];
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
