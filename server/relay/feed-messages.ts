import { z } from "zod";
import type { Values } from "../../shared/model/model.ts";
import { authorSchema } from "../../shared/protocol/record.ts";
import type { BusChannel } from "../messaging/bus-channel.ts";
import type { FeedState, LogChange, LogSpan } from "../store/log-change.ts";

/** Messages of the relay. Unknown keys pass: during an upgrade a newer server may send some. */
export type FeedsMessage = { span: LogSpan } | { heads: FeedState[] };

/** Parsed from JSON, so each value is JSON already: only the outer form is checked. */
const valuesSchema = z.custom<Values>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);
const position = z.int().min(0);

const changeSchema = z
  .looseObject({
    seq: position,
    kind: z.enum(["insert", "update", "delete"]),
    record: z.string(),
    before: valuesSchema.nullable(),
    after: valuesSchema.nullable(),
    by: authorSchema,
    at: z.string(),
    mutation: z.string().optional(),
    transition: z.string().optional(),
    reason: z.string().optional(),
  })
  .refine(({ kind, before, after }) => {
    return (kind === "insert") === (before === null) && (kind === "delete") === (after === null);
  }) as unknown as z.ZodType<LogChange>;

const spanSchema: z.ZodType<LogSpan> = z
  .looseObject({
    table: z.string(),
    epoch: z.string(),
    from: position,
    to: position,
    changes: z.array(changeSchema),
  })
  .refine(({ from, to, changes }) => {
    return to === from + changes.length && changes.every(({ seq }, i) => seq === from + 1 + i);
  });

const stateSchema: z.ZodType<FeedState> = z.looseObject({
  table: z.string(),
  epoch: z.string(),
  head: position,
  floor: position,
});

/**
 * Spans and heads share one channel, so that a head never arrives before the spans that lead to it: a server
 * that receives a head beyond its own has missed something.
 */
export const FEEDS_CHANNEL: BusChannel<FeedsMessage> = {
  name: "feeds",
  schema: z.union([
    z.looseObject({ span: spanSchema }),
    z.looseObject({ heads: z.array(stateSchema) }),
  ]),
};

/** From a server that has just committed, to the leader: the name of the table. */
export const HINT_CHANNEL: BusChannel<string> = { name: "hint", schema: z.string() };
