import type { Json } from "../../shared/filter/filter.ts";
import type { Values } from "../../shared/model/model.ts";
import { valuesOf } from "../../shared/model/pick-values.ts";
import type { WebhookBody, WebhookEvent } from "../../shared/protocol/webhooks.ts";
import type { LogChange } from "../store/log-change.ts";
import type { CompiledScope } from "./compiled-scope.ts";
import { imageBefore, projectChange } from "./project-change.ts";

const kinds = { insert: "created", update: "updated", delete: "deleted" } as const;

/**
 * A change as an event for a scope, with the values before and after; null if it is none of `events` there. A record
 * that enters the scope is created, one that leaves it is deleted and shown as it was. A transition is an event of its
 * own for those who want it, and else an update.
 */
export function projectEvent(
  change: LogChange,
  scope: CompiledScope,
  events: readonly WebhookEvent[],
): Omit<WebhookBody, "version"> | null {
  const projected = projectChange(change, scope);
  if (!projected) return null;
  const { kind, set, record, by, at, transition, mutation } = projected;
  const isTransition = transition !== undefined && events.includes("transition");
  const event = kind === "update" && isTransition ? "transition" : kinds[kind];
  if (!events.includes(event)) return null;
  const image = (kind === "delete" ? imageBefore(change) : change.after) ?? {};
  const before: Values = kind === "update" ? (change.before ?? {}) : {};
  const changes = Object.entries(set).flatMap(([field, after]) => {
    const previous: Json = before[field] ?? null;
    return after === null && previous === null ? [] : [[field, { before: previous, after }]];
  });
  return {
    type: `record.${event}`,
    table: scope.table,
    record,
    ...(isTransition && { transition }),
    changes: Object.fromEntries(changes),
    values: valuesOf(image, scope.fields),
    by,
    at,
    ...(mutation !== undefined && { mutation }),
  };
}
