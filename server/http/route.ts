import type { Request } from "express";
import { z } from "zod";
import type { Identity } from "../auth/identity.ts";
import type { CookieToSet } from "./credential.ts";
import { parsePart, parsePath } from "./parse.ts";

/**
 * A route as a value: the router and the OpenAPI document are both made from it, so that they can't
 * drift apart. A handler gets what is parsed and answers a Reply; it never touches the response.
 */

type Method = "get" | "post" | "put" | "patch" | "delete";

export interface Reply {
  /** 200 unless told; 204 where there is no body. */
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** Opens a session in the browser (its token) or ends it (null). */
  session?: string | null;
  cookies?: CookieToSet[];
}

export interface Call<P, Q, B> {
  params: P;
  query: Q;
  body: B;
  request: Request;
}

/** A call before it is parsed. */
type RawCall = Call<Record<string, unknown>, unknown, unknown>;

interface Described {
  method: Method;
  /** As OpenAPI writes it, below `/api/v1`: `/users/{id}`. */
  path: string;
  summary: string;
  answer?: z.ZodType;
  /** The status of success; 200 unless told. */
  status?: number;
  /** The type of a body that the handler reads from the request itself, as it arrives. */
  file?: string;
  /** Headers that mean something to the route, for the documentation; the handler reads them. */
  headers?: z.ZodType;
}

interface Shapes<P, Q, B> {
  params?: z.ZodType<P>;
  query?: z.ZodType<Q>;
  body?: z.ZodType<B>;
}

export interface Route extends Described, Shapes<unknown, unknown, unknown> {
  /** `display`: for displays alone, by their own credential, which no other route takes. */
  access: "public" | "signed in" | "display";
  run: (raw: RawCall, identity: Identity | null) => Promise<Reply>;
}

const nothing = z.unknown();

/** A route for displays. */
export function displayRoute<P = unknown, Q = unknown, B = unknown>(
  described: Described & Shapes<P, Q, B>,
  handle: (identity: Identity, call: Call<P, Q, B>) => Promise<Reply>,
): Route {
  return { ...route(described, handle), access: "display" };
}

/** A route for who is signed in. */
export function route<P = unknown, Q = unknown, B = unknown>(
  described: Described & Shapes<P, Q, B>,
  handle: (identity: Identity, call: Call<P, Q, B>) => Promise<Reply>,
): Route {
  return {
    ...described,
    access: "signed in",
    async run(raw, identity) {
      if (!identity) throw new Error("The router let a stranger in.");
      return handle(identity, parseCall(described, raw));
    },
  };
}

/** A route for everybody; who is signed in is known all the same. */
export function publicRoute<P = unknown, Q = unknown, B = unknown>(
  described: Described & Shapes<P, Q, B>,
  handle: (call: Call<P, Q, B>, identity: Identity | null) => Promise<Reply>,
): Route {
  return {
    ...described,
    access: "public",
    run: async (raw, identity) => handle(parseCall(described, raw), identity),
  };
}

function parseCall<P, Q, B>(shapes: Shapes<P, Q, B>, raw: RawCall): Call<P, Q, B> {
  const { params, query, body } = shapes;
  return {
    params: parsePath(params ?? (nothing as z.ZodType<P>), raw.params),
    query: parsePart(query ?? (nothing as z.ZodType<Q>), raw.query, "query"),
    body: parsePart(body ?? (nothing as z.ZodType<B>), raw.body, "body"),
    request: raw.request,
  };
}
