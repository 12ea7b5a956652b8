import type { z } from "zod";
import type { Route } from "./route.ts";

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
