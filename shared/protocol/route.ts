import { z } from "zod";
import type { AdministrativeRight } from "../policy/role.ts";
import type { ErrorCode } from "./errors.ts";

/**
 * Declares one route of the REST API. The router, the OpenAPI document, every typed call and the
 * authorisation test are derived from the declarations.
 */

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The name of a route: its method, and its path below `/api/v1` in OpenAPI notation, `GET /users/{id}`. */
export type RouteKey = `${Method} /${string}`;

/**
 * What a caller needs. `none`: no sign-in. `session`: to be signed in; further rights depend on the call.
 * `display`: the credential of a display, which no other route accepts. An administrative right, or one of
 * several. `table.read` and so on: a grant on the table in the path; the commands check it for each record.
 */
type RequiredRight =
  | "none"
  | "session"
  | "display"
  | AdministrativeRight
  | readonly [AdministrativeRight, ...AdministrativeRight[]]
  | `table.${"read" | "create" | "update" | "delete" | "transitions" | "history" | "export"}`;

export interface Route {
  summary: string;
  right: RequiredRight;
  /** Whether API tokens may call it too. A route that does not say so is for signed-in users only. */
  tokens?: true;
  /**
   * Makes what outlives the session, as a token does: the user must have proved who they are within RECENT_AUTHENTICATION_MS. An API
   * token was itself made so.
   */
  needsProof?: true;
  /** A session that lacks the second factor of its role may call it, too: it serves to show or add one. */
  withoutFactor?: true;
  /** Programs of others call it, as a mail program that unsubscribes does: a request from another site is not refused. */
  anyOrigin?: true;
  /** Only for the user whom the thing belongs to: others with the right are refused, too. */
  ownerOnly?: true;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Headers that the handler reads, for the documentation. */
  headers?: z.ZodObject;
  body?: z.ZodType;
  /** Where a body may be larger than `REQUEST_BODY_MAX_BYTES`. */
  bodyMaxBytes?: number;
  /** The media type of a body that the handler reads from the request itself, as a stream. */
  file?: string;
  /** The media type of an answer that is a file, sent as a stream. */
  download?: string;
  /** The answer; without it the body is empty. */
  answer?: z.ZodType;
  /** The status of success; by default 200, or 204 without an answer. */
  status?: number;
  /** Error codes besides those that `possibleErrors` lists for every route of its kind. */
  errors?: readonly ErrorCode[];
}

type Routes = Readonly<Record<RouteKey, Route>>;

/**
 * Declares the routes of a resource and preserves their exact types. They are made by a function, so that a browser's bundle, which
 * has the schemas of some messages but calls no route by its declaration, can leave them out.
 */
// @__NO_SIDE_EFFECTS__
export function defineRoutes<const R extends Routes>(routes: () => R): R {
  return routes();
}

export function statusOf({ answer, download, status }: Route): number {
  if (status !== undefined) return status;
  return answer || download ? 200 : 204;
}

/** The administrative rights of which a caller needs one; empty if none is needed. */
export function administrativeRightsOf({ right }: Route): readonly AdministrativeRight[] {
  if (typeof right !== "string") return right;
  return right === "none" || right === "session" || right === "display" || right.includes(".")
    ? []
    : [right as AdministrativeRight];
}

/** The form of every list answer. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), total: z.int() });
}

/** The path of one item by its id. */
export const byId = z.object({ id: z.string().max(120).describe("The id.") });
/** The path of a one-time link. */
export const byToken = z.object({
  token: z.string().max(200).describe("The token at the end of the link."),
});

/** The types of a route's parts after parsing: by the server from a request, by a caller from the answer. */

type Read<S> = S extends z.ZodType ? z.output<S> : undefined;
type Part<R extends Route, Name extends keyof Route> = R extends { [K in Name]: infer S }
  ? Read<S>
  : undefined;

export type ParamsOf<R extends Route> = Part<R, "params">;
export type QueryOf<R extends Route> = Part<R, "query">;
export type BodyOf<R extends Route> = Part<R, "body">;
// biome-ignore lint/suspicious/noConfusingVoidType: a handler without an answer returns nothing.
export type AnswerOf<R extends Route> = R extends { answer: infer S } ? Read<S> : void;
