import type { ErrorCode } from "../../shared/protocol/errors.ts";
import { administrativeRightsOf, type Route, type RouteKey } from "../../shared/protocol/route.ts";

/** Every code that a route may be refused with: those of all routes of its kind, and its own. */
export function possibleErrors(name: RouteKey, route: Route): ReadonlySet<ErrorCode> {
  const { right, tokens, needsProof, params, body, file, errors = [] } = route;
  const isOfTable = typeof right === "string" && right.startsWith("table.");
  const isForUsers = right !== "none" && right !== "display" && !tokens;
  const isGuarded = administrativeRightsOf(route).length > 0 || isOfTable || isForUsers;
  return new Set([
    "invalid_request",
    ...(right === "none" ? [] : (["unauthenticated", "session_ended"] as const)),
    ...(needsProof ? (["authentication_too_old"] as const) : []),
    ...(isGuarded || !name.startsWith("GET ") ? (["forbidden"] as const) : []),
    ...(params ? (["not_found"] as const) : []),
    ...(body || file ? (["too_large"] as const) : []),
    ...errors,
    "rate_limited",
    "internal",
    "model_mismatch",
    "unavailable",
  ]);
}
