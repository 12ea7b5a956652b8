import { z } from "zod";

/**
 * Checks what arrives from outside, REST requests and socket messages alike, by the schema of the contract. The cost is
 * that of a valid message of the same size, whatever is wrong with it.
 *
 * By itself a schema checks every element of a list and describes every fault, which takes seconds for a body of 1 MiB, and
 * so much memory that it can end the process. So the lists of an input schema are changed once, when it is first used: one
 * that is longer than allowed is refused uncounted, and checking ends at `ISSUES_MAX` faults. `abortEarly` of the library
 * does not do that: faults such as a text that is too long don't abort.
 */

const ISSUES_MAX = 20;
/** Entries of a record: more than any table has fields, or any model tables. */
const RECORD_MAX_ENTRIES = 10_000;
/** Entries of a record that are checked together. */
const RECORD_PART_ENTRIES = 100;

type Parse = z.core.$ZodType["_zod"]["parse"];
type Payload = z.core.ParsePayload;

export interface BadInput {
  ok: false;
  /** What does not fit, in a sentence that continues "body.name". */
  problem: string;
  path: string[];
  /** Further faults, as far as they were looked for; empty if no schema was asked. */
  issues: ReturnType<typeof issuesOf>;
}

/**
 * Objects and lists of a message or request. To read a megabyte of nothing else takes 50 ms, in which nobody else is answered; a thousand ops
 * with documents of twenty objects each are less than half of the bound.
 */
const PARTS_MAX = 50_000;
/** A larger body, as of a model, may have one for so many characters. */
const CHARACTERS_PER_PART = 20;

/** Whether a JSON text has more objects and lists than a message may have. Counts those within its texts, too. */
export function hasTooManyParts(text: string): boolean {
  const most = Math.max(PARTS_MAX, text.length / CHARACTERS_PER_PART);
  if (text.length <= most) return false;
  let count = 0;
  for (const start of ["{", "["]) {
    for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1)) {
      count += 1;
      if (count > most) return true;
    }
  }
  return false;
}

/**
 * Parses a message or a part of a request. Nesting that exhausts the stack is refused before any recursion. Schemas drop the key
 * `__proto__` silently; as a name it is refused instead, whereas the JSON value of a field may have it, at any depth.
 */
export function parseInput<T>(
  schema: z.ZodType<T>,
  json: unknown,
): { ok: true; data: T } | BadInput {
  const refusal = (problem: string): BadInput => ({ ok: false, problem, path: [], issues: [] });
  const sent = reservedKeys(json);
  if (sent === null) return refusal("nests too deeply");
  limitIssues(schema);
  const parsed = schema.safeParse(json);
  if (parsed.success) {
    const isComplete = sent === 0 || sent === reservedKeys(parsed.data);
    if (!isComplete) return refusal('has the key "__proto__", which is reserved');
    return { ok: true, data: parsed.data };
  }
  const issues = issuesOf(parsed.error);
  const [first] = issues;
  return { ok: false, problem: first?.message ?? "is invalid", path: first?.path ?? [], issues };
}

const limited = new WeakSet<z.core.$ZodType>();

/** Bounds the work of a schema and of all schemas in it. */
function limitIssues(schema: z.core.$ZodType): void {
  if (limited.has(schema)) return;
  limited.add(schema);
  if (isA(schema, z.core.$ZodArray)) replaceParse(schema, parseArray(schema));
  if (isA(schema, z.core.$ZodRecord)) replaceParse(schema, parseRecord(schema));
  for (const inner of partsOf(schema)) limitIssues(inner);
}

/** A schema without checks runs its parser directly. */
function replaceParse({ _zod: internals }: z.core.$ZodType, parse: Parse): void {
  if (internals.run === internals.parse) internals.run = parse;
  internals.parse = parse;
}

function parseArray(schema: z.core.$ZodArray): Parse {
  const { parse, def } = schema._zod;
  const bounds = (def.checks ?? []).filter((check) => isA(check, z.core.$ZodCheckMaxLength));
  return (payload, ctx) => {
    const input: unknown = payload.value;
    if (!Array.isArray(input)) return parse(payload, ctx);
    const exceeded = bounds.find(({ _zod: { def: bound } }) => input.length > bound.maximum);
    if (exceeded) {
      exceeded._zod.check(payload);
      return end(payload);
    }
    const items: unknown[] = [];
    payload.value = items;
    let found = 0;
    for (const [index, value] of input.entries()) {
      const item = synchronous(def.element._zod.run({ value, issues: [] }, ctx));
      items.push(item.value);
      for (const issue of z.core.util.prefixIssues(index, item.issues)) {
        payload.issues.push(issue);
        found += weightOf(issue);
      }
      if (found >= ISSUES_MAX) return end(payload);
    }
    return payload;
  };
}

/** Checks a large record part by part. One whose keys are listed in the schema is as large as that list. */
function parseRecord({ _zod: { parse, def } }: z.core.$ZodRecord): Parse {
  const hasListedKeys = def.keyType._zod.values !== undefined;
  return (payload, ctx) => {
    const input: unknown = payload.value;
    if (hasListedKeys || !z.core.util.isPlainObject(input)) return parse(payload, ctx);
    const entries = Object.entries(input);
    if (entries.length <= RECORD_PART_ENTRIES) return parse(payload, ctx);
    if (entries.length > RECORD_MAX_ENTRIES) {
      const message = `must have at most ${RECORD_MAX_ENTRIES} entries`;
      payload.issues.push({ code: "custom", message, input });
      return end(payload);
    }
    const all: Record<string, unknown> = {};
    for (let from = 0; from < entries.length; from += RECORD_PART_ENTRIES) {
      const value = Object.fromEntries(entries.slice(from, from + RECORD_PART_ENTRIES));
      const part = synchronous(parse({ value, issues: [] }, ctx));
      Object.assign(all, part.value);
      payload.issues.push(...part.issues);
      if (part.issues.length > 0) return end(payload);
    }
    payload.value = all;
    return payload;
  };
}

/** Ends a check whose result is incomplete: nothing else of the schema may look at it. */
function end(payload: Payload): Payload {
  const last = payload.issues.pop();
  if (last) payload.issues.push({ ...last, continue: false });
  payload.aborted = true;
  return payload;
}

/** How many faults an issue describes: that of a union holds those of each alternative. */
function weightOf(issue: {
  code?: string | undefined;
  errors?: unknown;
  issues?: unknown;
}): number {
  const nested = [issue.errors ?? [], issue.issues ?? []].flat(2) as (typeof issue)[];
  return nested.reduce((sum, one) => sum + weightOf(one), 1);
}

function synchronous(result: Payload | Promise<Payload>): Payload {
  if (result instanceof Promise) throw new z.core.$ZodAsyncError();
  return result;
}

/** The schemas that a schema consists of. */
function partsOf(schema: z.core.$ZodType): z.core.$ZodType[] {
  if (isA(schema, z.core.$ZodLazy)) return [schema._zod.innerType];
  return Object.values(schema._zod.def).flatMap((part: unknown) => {
    if (isSchema(part)) return [part];
    if (typeof part !== "object" || part === null) return [];
    return Object.values(part).filter(isSchema);
  });
}

function isSchema(value: unknown): value is z.core.$ZodType {
  return value instanceof z.core.$ZodType;
}

/** The library's classes are functions that recognise their instances. */
function isA<T extends object>(value: object, kind: { new (def: never): T }): value is T {
  return value instanceof kind;
}

const PATH_MAX_PARTS = 20;
const ISSUE_MAX_LENGTH = 300;

/** Where and why a message does not fit its schema: the first issues, each with an excerpt. */
function issuesOf({ issues }: z.ZodError): { path: string[]; message: string }[] {
  return issues.slice(0, ISSUES_MAX).map(({ path, message }) => ({
    path: path.slice(0, PATH_MAX_PARTS).map((part) => excerpt(String(part))),
    message: excerpt(message, ISSUE_MAX_LENGTH),
  }));
}

/** Nesting of a request or message: more than any model, filter or value needs. */
const MESSAGE_MAX_DEPTH = 100;

/**
 * How often a key `__proto__` occurs in incoming JSON; null if it nests too deeply. Checked at every entry point before any recursion, and
 * uses none itself.
 */
function reservedKeys(json: unknown): number | null {
  let found = 0;
  let level: unknown[] = [json];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MESSAGE_MAX_DEPTH) return null;
    const next: unknown[] = [];
    for (const value of level) {
      if (value === null || typeof value !== "object") continue;
      if (Object.hasOwn(value, "__proto__")) found += 1;
      if (Array.isArray(value)) for (const part of value) next.push(part);
      else for (const key of Object.keys(value)) next.push((value as Record<string, unknown>)[key]);
    }
    level = next;
  }
  return found;
}

const EXCERPT_MAX_LENGTH = 100;

/** The beginning of a text from outside, for an answer that repeats it. */
export function excerpt(text: string, maxLength = EXCERPT_MAX_LENGTH): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
