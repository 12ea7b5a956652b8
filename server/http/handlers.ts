import type { Request } from "express";
import type { Subject } from "../../shared/policy/scope.ts";
import { requestOf } from "../../shared/protocol/call.ts";
import type { RouteName } from "../../shared/protocol/contract.ts";
import type { AnswerOf, BodyOf, ParamsOf, QueryOf, Route } from "../../shared/protocol/route.ts";
import type { Identity } from "../auth/identity.ts";
import type { CookieToSet } from "./credential.ts";
import type { Gzipped } from "./gzipped.ts";

/**
 * The server's half of the contract: a function for each route. It receives the parsed request and never
 * touches the response.
 */

export interface Call<R extends Route> {
  /** The caller; null on a route without sign-in. */
  identity: R["right"] extends "none" ? Identity | null : Identity;
  /** The same as a subject of rights. */
  me: R["right"] extends "none" ? Subject | null : Subject;
  params: ParamsOf<R>;
  query: QueryOf<R>;
  body: BodyOf<R>;
  request: Request;
}

/** An answer with more than its body. */
export class Reply<T> {
  readonly body: T;
  readonly extras: {
    headers?: Record<string, string>;
    /** Another status than that of success: 201 where it was created instead of changed, 202 where the work goes on. */
    status?: 201 | 202;
    /** Opens a session in the browser (its token) or ends it (null). */
    session?: string | null;
    cookies?: CookieToSet[];
    /** The body, encoded as JSON before: `body` is undefined then. */
    gzipped?: Gzipped;
    /** The answer of a route with `download`. */
    file?: { name: string; chunks: AsyncIterable<string | Uint8Array> };
  };

  constructor(body: T, extras: Reply<T>["extras"]) {
    this.body = body;
    this.extras = extras;
  }
}

export type Handlers<R extends { [K in keyof R]: Route }> = {
  [K in keyof R]: (call: Call<R[K]>) => Promise<AnswerOf<R[K]> | Reply<AnswerOf<R[K]>>>;
};

/** Answers what was created, and its address. */
export function created<T extends { id: string }>(read: RouteName, body: T): Reply<T> {
  const { path } = requestOf(read, { params: { id: body.id } });
  return new Reply(body, { headers: { Location: `/api/v1${path}` } });
}

/** The answer of every list. */
export function listed<T>(items: T[]): { items: T[]; total: number } {
  return { items, total: items.length };
}
