import { z } from "zod";

/**
 * The first line of a backup: what it is, and what it holds. The rows of its tables follow in this order
 * (backup-writer.ts).
 */

/** Of the file itself. A newer one is refused. */
export const FORMAT = 1;

const tableSchema = z.strictObject({
  /** `watchfloor` for the platform's tables, `public` for those of the model. */
  schema: z.enum(["watchfloor", "public"]),
  name: z.string().min(1),
  columns: z.array(z.string().min(1)),
});

const sequenceSchema = z.strictObject({
  schema: z.enum(["watchfloor", "public"]),
  name: z.string().min(1),
  value: z.string().regex(/^\d{1,19}$/),
});

export const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  /** The version of Watchfloor that wrote it. */
  version: z.string(),
  createdAt: z.string(),
  /** The migrations of its schema, in order. */
  migrations: z.array(z.string()).min(1),
  modelVersion: z.int().min(0),
  tables: z.array(tableSchema),
  /** The last number that each sequence has given. */
  sequences: z.array(sequenceSchema),
  /** A secret that is encrypted with `WATCHFLOOR_SECRET_KEY`, to recognise the key. */
  encrypted: z.strictObject({ secret: z.string(), owner: z.string() }).nullable(),
  /** Columns of the tables that are not in the backup, because they are not in the model. */
  omitted: z.array(z.string()),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type BackedUpTable = Manifest["tables"][number];

/** What a backup holds, once all of it has been read or written. */
export interface BackupContent {
  manifest: Manifest;
  /** Rows per table, in the order of the manifest's tables. */
  rows: readonly number[];
}

/** The name of a table as SQL and sentences have it; records are in `public`. */
export const tableLabel = ({ schema, name }: Pick<BackedUpTable, "schema" | "name">) =>
  schema === "public" ? name : `${schema}.${name}`;
