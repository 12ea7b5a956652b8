import type { Model } from "../../shared/model/model.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import { administrativeRightsOf, type Route } from "../../shared/protocol/route.ts";
import { requireOneRight } from "../auth/require-right.ts";
import { readableTable } from "../policy/authorize.ts";

/**
 * Refuses callers whom the declaration of a route excludes, whatever they send: before the body is read, and again once
 * it has arrived. Which grant on the table an edit needs is left to the commands: a repeated edit is answered as at
 * first, also to an author who has lost that grant since.
 */
export function requireRouteRight(
  route: Route,
  subject: Subject,
  { table }: Record<string, unknown>,
  model: Model,
): void {
  requireOneRight(subject, administrativeRightsOf(route));
  const isOfTable = typeof route.right === "string" && route.right.startsWith("table.");
  if (isOfTable) readableTable(subject, model, String(table));
}
