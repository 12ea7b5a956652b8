import { z } from "zod";
import { jsonSchema } from "../filter/json-schema.ts";
import { wordingShape } from "../filter/wording.ts";
import { parseDateFormat } from "./date-format.ts";
import { jsonText } from "./query-params.ts";
import { nameSchema } from "./record.ts";

/**
 * How a file is to be read: the same for the REST call and for the command line, which passes them in the
 * query.
 */

const flagParam = z
  .enum(["true", "false", "1", "0"])
  .transform((text) => text === "true" || text === "1")
  .meta({ type: "boolean", enum: undefined });

const columnMap = z.record(z.string().max(500), z.string().max(120));

export const importOptionsSchema = z.strictObject({
  key: z
    .string()
    .min(1)
    .max(120)
    .optional()
    .describe("A field (or `id`): updates the record with the row's value, else creates one."),
  id: z.string().min(1).max(500).optional().describe("The column that gives new records their id."),
  map: jsonText(50_000)
    .pipe(columnMap)
    .optional()
    .describe(
      '`{"header": "field"}` as JSON; a header mapped to nothing is ignored. Others are matched by name.',
    ),
  null: z
    .string()
    .max(100)
    .optional()
    .describe(
      'A text that is read as "empty" besides the empty text. By default there is none: `NULL` or `N/A` is a text like others.',
    ),
  dateFormat: z
    .string()
    .min(1)
    .max(60)
    .refine((format) => parseDateFormat(format) !== null, "must name each part of a date once")
    .optional()
    .describe(
      "The form of dates and times, such as `DD-MM-YYYY HH:mm`. By default ISO 8601, or the only one that reads the first rows.",
    ),
  zone: z
    .string()
    .min(1)
    .max(60)
    .refine(isZone, "must be a zone like Europe/Berlin")
    .default("UTC")
    .describe("The zone of times without one."),
  delimiter: z
    .string()
    .length(1)
    .optional()
    .describe(
      "What separates the columns; by default that of comma, semicolon, tab and `|` which splits the first rows evenly, or what a first line `sep=;` names.",
    ),
  encoding: z
    .string()
    .max(40)
    .refine(isEncoding, "must be an encoding like windows-1252")
    .optional()
    .describe(
      "The encoding, such as `windows-1252`; by default UTF-8, or what a byte order mark says.",
    ),
  header: flagParam
    .default(true)
    .describe(
      "Whether the first row names the columns. Without names they are `Column 1`, `Column 2` and so on.",
    ),
  decimal: z
    .enum([".", ","])
    .optional()
    .describe("The character before the fraction of a number; detected where the file says it."),
  dryRun: flagParam.default(false).describe("Validate every row and change nothing."),
});
export type ImportOptions = z.infer<typeof importOptionsSchema>;
/** How a file is read. */
export type FileOptions = Omit<ImportOptions, "dryRun">;

/** The same for a draft: into which table, and `tsv` for cells between tabs. */
export const draftImportOptionsSchema = importOptionsSchema.omit({ dryRun: true }).extend({
  table: z.string().min(1).max(120).describe("The table that the rows belong to."),
  format: z
    .enum(["csv", "tsv"])
    .default("csv")
    .describe("What separates the cells: `tsv` for tabs."),
});
export type DraftImportOptions = z.infer<typeof draftImportOptionsSchema>;

/** Node and browsers have it; the types of `shared` are those of neither. */
declare const TextDecoder: new (label: string) => object;

function isEncoding(label: string): boolean {
  try {
    return Boolean(new TextDecoder(label));
  } catch {
    return false;
  }
}

function isZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}

const rowErrorSchema = z.object({
  line: z.int(),
  field: z.string().optional(),
  code: z.string(),
  rule: z.string().optional(),
  message: z.string(),
  /** The text of the cell, shortened. */
  value: z.string().optional(),
  ...wordingShape,
});
export type RowError = z.infer<typeof rowErrorSchema>;

/** How columns, dates and numbers were read, given or detected; null is the product's own form. */
const formatSchema = z.object({
  delimiter: z.string(),
  dateFormat: z.string().nullable(),
  decimal: z.string().nullable(),
});
export const importReportSchema = z
  .object({
    table: z.string(),
    dryRun: z.boolean(),
    rows: z.int(),
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    /** Rows with a key that a later row has too: the last one counts. */
    superseded: z.int(),
    failed: z.int(),
    /** The field of each column, and the columns without one. */
    columns: z.record(z.string(), z.string()),
    ignored: z.array(z.string()),
    format: formatSchema,
    /** The first errors. Every rejected row is in the `rejects.csv` of the change set. */
    errors: z.array(rowErrorSchema),
    /** The number of errors; a row may have several. */
    errorTotal: z.int(),
    /** The set that the changes name; null where nothing was changed or rejected, and of a dry run. */
    changeSet: z.string().nullable(),
  })
  .meta({ id: "ImportReport" });
export type ImportReport = z.infer<typeof importReportSchema>;

/** A row of a file that was left out, as it was written, and why. */
export const rejectedRowSchema = z.object({
  line: z.int(),
  cells: z.array(z.string()),
  errors: z.array(rowErrorSchema),
});
export type RejectedRow = z.infer<typeof rejectedRowSchema>;

/**
 * Another value for a cell of a rejected row, which is then checked again: `null` leaves it empty. `text` is the cell as it is now: a row that
 * has another text there is left alone. With `line` that row is corrected; without it all rows that are rejected for this text in this field,
 * after the line `after`.
 */
export const rowCorrectionSchema = z.strictObject({
  field: nameSchema.describe("A field of the table, or `id`."),
  text: z.string(),
  value: jsonSchema,
  line: z.int().min(1).max(2_147_483_647).optional(),
  after: z.int().min(0).max(2_147_483_647).optional(),
});
export type RowCorrection = z.infer<typeof rowCorrectionSchema>;

export const correctedRowsSchema = z.object({
  /** Rows that are not rejected any more. */
  corrected: z.int(),
  /** The line after which another call continues; null where no row is left. */
  next: z.int().nullable(),
});
export type CorrectedRows = z.infer<typeof correctedRowsSchema>;

/** What a file makes of a draft: counts of its rows. */
export const draftImportSchema = importReportSchema.omit({ dryRun: true, changeSet: true });
export type DraftImport = z.infer<typeof draftImportSchema>;
