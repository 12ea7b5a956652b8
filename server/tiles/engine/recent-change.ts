import type { Values } from "../../../shared/model/model.ts";
import { valuesOf } from "../../../shared/model/pick-values.ts";
import type { CompiledScope } from "../../policy/compiled-scope.ts";
import { imageBefore, projectChange } from "../../policy/project-change.ts";
import type { LogChange } from "../../store/log-change.ts";

/** A change as an activity feed shows it. */
export interface RecentChange {
  seq: number;
  record: string;
  kind: "insert" | "update" | "delete";
  at: string;
  by: string;
  /** The chosen fields that changed. */
  fields: string[];
  values: Values;
}

/** A change with the chosen fields; null if the scope does not see it. */
export function toRecentChange(
  change: LogChange,
  scope: CompiledScope,
  chosen: readonly string[],
): RecentChange | null {
  const projected = projectChange(change, scope);
  if (!projected) return null;
  const { seq, record, at, by, kind } = projected;
  // a record that left, removed or out of scope, is shown as it was while it was visible
  const named = (kind === "delete" ? imageBefore(change) : change.after) ?? {};
  const values = valuesOf(named, chosen);
  const fields = Object.keys(projected.set).filter((name) => chosen.includes(name));
  return { seq, record, kind, at, by: by.name, fields, values };
}
