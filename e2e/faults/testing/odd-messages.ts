import fc from "fast-check";

/** A message to a socket that may be anything: nonsense, of a wrong shape, or nearly right. */
export interface OddMessage {
  event: string;
  args: unknown[];
  /** Whether the sender wants an answer. */
  expectsAnswer: boolean;
}

const oddText = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.string({ unit: "binary", maxLength: 10 }),
  fc.constantFrom("", "\0", "a\0b", "\ud800", "'; drop table incidents; --", "../..", "$me", "id"),
  fc.constantFrom("incidents", "title", "-opened_at", "1e999", "__proto__", "constructor"),
  fc.constant("x".repeat(3_000)),
);
const oddJson = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  oddText,
  fc.constantFrom(-0, 1e308, 2 ** 53, -1, 0.1, null, true, [], {}),
);
const field = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("title", "state", "impact", "assignee", "opened_at") },
  { weight: 3, arbitrary: fc.constantFrom("reassignments", "sla_met", "notes", "group", "number") },
  { weight: 1, arbitrary: oddText },
);
const value = fc.oneof(oddJson, fc.constantFrom("New", "1 - High", "2026-01-01T00:00:00Z", 7));
const values = fc.dictionary(field, value, { maxKeys: 4 });
const table = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("incidents", "groups") },
  { weight: 1, arbitrary: oddText },
);
const record = fc.oneof(fc.constantFrom("seed-1", "seed-2", "Network"), oddText);

/** Mostly the shape that is wanted, with odd values; sometimes a part is missing, or one too many. */
function nearly(shape: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.record(shape) },
    { weight: 2, arbitrary: fc.record(shape, { requiredKeys: [] }) },
    { weight: 1, arbitrary: fc.record({ ...shape, more: oddJson }) },
    { weight: 1, arbitrary: oddJson },
  );
}

const op = fc.oneof(
  nearly({ op: fc.constant("create"), table, values }),
  nearly({ op: fc.constant("create"), table, record, values }),
  nearly({ op: fc.constant("update"), table, record, set: values, base: values }),
  nearly({ op: fc.constant("delete"), table, record: fc.constant("nobody"), version: oddText }),
  nearly({ op: fc.constant("transition"), table, record, transition: oddText, from: oddText }),
);
const condition = nearly({
  field,
  op: fc.constantFrom(
    "eq",
    "ne",
    "in",
    "nin",
    "lt",
    "gte",
    "between",
    "contains",
    "isEmpty",
    "has",
  ),
  value: fc.oneof(value, fc.array(value, { maxLength: 3 })),
});
const { filter } = fc.letrec<{ filter: unknown }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4 },
    condition,
    fc.record({ not: tie("filter") }),
    fc.record({ and: fc.array(tie("filter"), { maxLength: 3 }) }),
    fc.record({ or: fc.array(tie("filter"), { maxLength: 3 }) }),
  ),
}));
const count = fc.oneof(fc.nat(2_000), fc.constantFrom(-1, 0.5, 1e12, "7", null));
const after = nearly({ epoch: oddText, seq: count, scope: oddText });
const wallboard = fc.oneof(fc.constantFrom("home", "tables"), oddText);
const zone = fc.oneof(fc.constantFrom("UTC", "Europe/Berlin", "Nowhere/Land"), oddText);
const validMessages = [
  ["subscribe", nearly({ table, after })],
  ["subscribe", nearly({ table })],
  ["unsubscribe", nearly({ table })],
  ["query", nearly({ table, filter })],
  ["query", nearly({ table, sort: fc.array(fc.oneof(field, oddText)), limit: count })],
  ["query", nearly({ table, search: oddText, offset: count, fields: fc.array(field) })],
  ["mutate", nearly({ id: fc.uuid(), ops: fc.array(op, { maxLength: 4 }) })],
  ["mutate", nearly({ id: oddText, atomic: fc.boolean(), ops: fc.array(op, { maxLength: 4 }) })],
  ["presence", nearly({ table, record, field, mode: fc.constantFrom("viewing", "editing", "x") })],
  ["tiles", nearly({ wallboard, draft: fc.boolean(), zone })],
  ["leaveTiles", nearly({ wallboard, draft: fc.boolean(), zone })],
] as const;
const nonsense = fc.tuple(
  fc.constantFrom("subscribe", "mutate", "tiles", "toString", "changes", "ping", ""),
  fc.array(fc.oneof(oddJson, fc.constant(Buffer.from("bytes"))), { maxLength: 3 }),
);

const message: fc.Arbitrary<OddMessage> = fc
  .oneof(
    ...validMessages.map(([event, body]) =>
      body.map((sent): [string, unknown[]] => [event, [sent]]),
    ),
    nonsense,
  )
  .chain(([event, args]) =>
    fc.record({
      event: fc.constant(event),
      args: fc.constant(args),
      expectsAnswer: fc.integer({ max: 9, min: 0 }).map((n) => n > 0),
    }),
  );

/** The same ones for the same seed. */
export function oddMessages(numRuns: number, seed: number): OddMessage[] {
  return fc.sample(message, { numRuns, seed });
}
