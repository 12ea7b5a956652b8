import type { ErrorCode } from "../../shared/protocol/errors.ts";
import type { Route, RouteKey } from "../../shared/protocol/route.ts";

/** Every code that a route may be refused with: those of all routes of its kind, and its own. */
export function possibleErrors(name: RouteKey, route: Route): ReadonlySet<ErrorCode> {
  const { right, tokens, withoutFactor, needsProof, params, body, file, errors = [] } = route;
  const isForUsers = right !== "none" && right !== "display";
  // Of a right, to tokens, or to a session that lacks its second factor.
  const isGuarded = isForUsers && !(tokens && withoutFactor);
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
