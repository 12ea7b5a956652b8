import type { z } from "zod";
import type { ParamsOf, QueryOf, Route, RouteKey } from "./route.ts";

/**
 * A call as its caller writes it, and the request made from it. Contains no schema, so that a browser need
 * not load any.
 */

/** Of a request that a page makes by itself: it does not prevent the idle end of the session. */
export const BACKGROUND_HEADER = "x-watchfloor-background";

/** Requires a property only if the route has one. */
type Given<Name extends string, T> = [T] extends [undefined]
  ? { [K in Name]?: never }
  : { [K in Name]: T };

type InputOf<R extends Route> = Given<"params", ParamsOf<R>> &
  (QueryOf<R> extends undefined ? { query?: never } : { query?: Partial<QueryOf<R>> }) &
  Given<"body", R extends { body: infer B extends z.ZodType } ? z.input<B> : undefined>;

/** The arguments after the name: one object, optional if nothing in it is required. */
export type InputArguments<R extends Route> =
  Record<never, never> extends InputOf<R> ? [input?: InputOf<R>] : [input: InputOf<R>];

interface Parts {
  params?: object | undefined;
  query?: object | undefined;
}

/** The method of a route, and its path with the names of the parameters. */
export function methodAndPath(name: RouteKey): { method: string; path: string } {
  const [method = "", path = ""] = name.split(" ");
  return { method, path };
}

/** Method and path, below `/api/v1`, of a call. */
export function requestOf(name: RouteKey, { params = {}, query = {} }: Parts = {}) {
  const { method, path: template } = methodAndPath(name);
  const values = new Map(Object.entries(params));
  const path = template.replace(/\{(\w+)\}/g, (_all, part) =>
    encodeURIComponent(String(values.get(part))),
  );
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${encodeURIComponent(queryText(value))}`],
  );
  return { method, path: pairs.length > 0 ? `${path}?${pairs.join("&")}` : path };
}

/** A value in the form that `query-params.ts` parses: names joined by commas, filters as JSON. */
function queryText(value: unknown): string {
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The token of the session that an answer opens. Empty if it opens none, and in browsers, which don't show cookies. */
export function sessionToken({ headers }: { headers: { getSetCookie(): string[] } }): string {
  return /watchfloor_session=([^;]+)/.exec(headers.getSetCookie().join("\n"))?.[1] ?? "";
}
