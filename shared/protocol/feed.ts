import { z } from "zod";
import { filterSchema } from "../filter/filter.ts";
import { jsonSchema } from "../filter/json-schema.ts";
import { zoneSchema } from "../model/wallboard/tile-parts.ts";
import { authorSchema, nameSchema, recordSchema } from "./record.ts";

/** One change as a scope sees it: `insert` with all visible fields, `update` with the changed ones. */
export const changeSchema = z
  .object({
    seq: z.int(),
    kind: z.enum(["insert", "update", "delete"]),
    record: z.string(),
    set: z.record(z.string(), jsonSchema),
    by: authorSchema,
    at: z.string(),
    mutation: z.string().optional(),
    transition: z.string().optional(),
  })
  .meta({ id: "Change" });
export type WireChange = z.infer<typeof changeSchema>;

/** The fingerprint of the change at a position. It is sent back with the position, which another history may have, too. */
const markSchema = z.string().max(16);

/** Server → client. Every message continues where the one before ended: `from` = previous `to`. `mark` is that of `to`. */
export const changesSchema = z.object({
  table: z.string(),
  epoch: z.string(),
  from: z.int(),
  to: z.int(),
  mark: markSchema.optional(),
  changes: z.array(changeSchema),
});
export type ChangesMessage = z.infer<typeof changesSchema>;

/** Client → server: follow a table, from a known position if the client has one. */
export const subscribeSchema = z.strictObject({
  table: nameSchema,
  after: z
    .strictObject({
      epoch: z.string().max(64),
      seq: z.int().min(0),
      scope: z.string().max(128),
      mark: markSchema.optional(),
    })
    .optional(),
});
export type SubscribeCall = z.infer<typeof subscribeSchema>;

/**
 * `mark` is that of `seq`. `replay` leads from `after` to `seq`; `resync` means that the client must discard what it holds. Either way
 * `changes` follow from `seq` without a gap.
 */
export const subscribeAnswerSchema = z.object({
  epoch: z.string(),
  seq: z.int(),
  scope: z.string(),
  mark: markSchema.optional(),
  replay: z.array(changeSchema).optional(),
  resync: z.literal(true).optional(),
});
export type SubscribeAnswer = z.infer<typeof subscribeAnswerSchema>;

export const unsubscribeSchema = z.strictObject({ table: nameSchema });
export type UnsubscribeCall = z.infer<typeof unsubscribeSchema>;

/**
 * Server → client, every few seconds: what was sent on this connection for each feed, and the server's clock.
 * A client at another position has a gap and subscribes again.
 */
export const headsSchema = z.object({
  tables: z.record(z.string(), z.object({ epoch: z.string(), seq: z.int() })),
  now: z.string(),
});
export type HeadsMessage = z.infer<typeof headsSchema>;

/** Client → server: a page of a view. `sort` holds field names, `-` before a descending one. */
export const querySchema = z.strictObject({
  table: nameSchema,
  filter: filterSchema.nullish(),
  sort: z.array(z.string().min(1).max(121)).max(10).optional(),
  search: z.string().max(200).optional(),
  offset: z.int().min(0).optional(),
  limit: z.int().min(0).optional(),
  fields: z.array(nameSchema).max(200).optional(),
  /** A view: its order by hand takes the place of the order of entry. */
  orderOf: z.string().max(64).optional(),
  /** The zone in which `$today` begins; that of the model by default. */
  zone: zoneSchema.optional(),
});
export type QueryCall = z.infer<typeof querySchema>;

/**
 * A page and the feed position it shows. Unless `totalExact`, there are more than `total`: counting them would have taken too long.
 * Then `estimate` is how many records the table has by the statistics of the database, in pages of all records of a table.
 */
export const pageSchema = z
  .object({
    records: z.array(recordSchema),
    total: z.int(),
    totalExact: z.boolean(),
    estimate: z.int().optional(),
    seq: z.int(),
    epoch: z.string(),
    /** The cursor of the next page, null behind the last one: where records are read by a cursor, which only REST does. */
    next: z.string().nullable().optional(),
  })
  .meta({ id: "RecordPage" });
export type Page = z.infer<typeof pageSchema>;
