import { z } from "zod";
import type { AdministrativeRight } from "../policy/role.ts";
import type { ErrorCode } from "../protocol/errors.ts";

/**
 * How one route of the REST interface is declared. The router, the OpenAPI document, every typed call and the test of
 * who may call what are made from the declarations.
 */

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The name of a route: its method, and its path below `/api/v1` as OpenAPI writes it, `GET /users/{id}`. */
export type RouteKey = `${Method} /${string}`;

/**
 * What a caller needs. `none`: no sign-in. `session`: to be signed in; what else is needed depends on the call.
 * `display`: the credential of a display, which no other route takes. An administrative right, or one of several.
 * `table.read` and so on: a grant on the table of the path; the commands check it for each record.
 */
export type RequiredRight =
  | "none"
  | "session"
  | "display"
  | AdministrativeRight
  | readonly [AdministrativeRight, ...AdministrativeRight[]]
  | `table.${"read" | "create" | "update" | "delete" | "transitions" | "history"}`;

export interface Route {
  summary: string;
  right: RequiredRight;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Headers that mean something to the route, for the documentation; the handler reads them. */
  headers?: z.ZodObject;
  body?: z.ZodType;
  /** The media type of a body that the handler reads from the request itself, as it arrives. */
  file?: string;
  /** What is sent back; without it the body of the answer is empty. */
  answer?: z.ZodType;
  /** The status of success; 200 unless given, or 204 without an answer. */
  status?: number;
  /** What it may be refused with besides what `possibleErrors` says of every route like it. */
  errors?: readonly ErrorCode[];
}

export type Routes = Readonly<Record<RouteKey, Route>>;

/** Declares the routes of a resource and keeps their exact types. */
export function defineRoutes<const R extends Routes>(routes: R): R {
  return routes;
}

export function statusOf({ answer, status = answer ? 200 : 204 }: Route): number {
  return status;
}

/** The administrative rights of which a caller needs one; none where no such right is needed. */
export function administrativeRightsOf({ right }: Route): readonly AdministrativeRight[] {
  if (typeof right !== "string") return right;
  return right === "none" || right === "session" || right === "display" || right.includes(".")
    ? []
    : [right as AdministrativeRight];
}

/** How every list is answered. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), total: z.int() });
}

/** The path of one thing by its id. */
export const byId = z.object({ id: z.string().max(120) });
/** The path of a link that proves who follows it. */
export const byToken = z.object({ token: z.string().max(200) });
