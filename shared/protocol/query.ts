import { z } from "zod";
import { filterSchema } from "../filter/filter.ts";
import { zoneSchema } from "../model/wallboard/tile-parts.ts";
import { nameSchema, recordSchema } from "./record.ts";

/** Client → server: a page of a view. `sort` holds field names, `-` before a descending one. */
export const querySchema = z.strictObject({
  table: nameSchema,
  filter: filterSchema.nullish(),
  sort: z.array(z.string().min(1).max(121)).max(10).optional(),
  search: z.string().max(200).optional(),
  offset: z.int().min(0).optional(),
  limit: z.int().min(0).optional(),
  fields: z.array(nameSchema).max(200).optional(),
  /** The zone in which `$today` begins; UTC by default. */
  zone: zoneSchema.optional(),
});
export type QueryCall = z.infer<typeof querySchema>;

/** A page and the feed position it shows. Unless `totalExact`, `total` is an estimate, or a lower bound for readers with row rights. */
export const pageSchema = z
  .object({
    records: z.array(recordSchema),
    total: z.int(),
    totalExact: z.boolean(),
    seq: z.int(),
    epoch: z.string(),
  })
  .meta({ id: "RecordPage" });
export type Page = z.infer<typeof pageSchema>;
