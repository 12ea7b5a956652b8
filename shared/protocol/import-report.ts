import { z } from "zod";

const rowErrorSchema = z.object({
  line: z.int(),
  field: z.string().optional(),
  code: z.string(),
  rule: z.string().optional(),
  message: z.string(),
});
export type RowError = z.infer<typeof rowErrorSchema>;

/** How dates and numbers were read, given or detected; null is the product's own form. */
const formatSchema = z.object({
  dateFormat: z.string().nullable(),
  decimal: z.string().nullable(),
});
export type ImportFormat = z.infer<typeof formatSchema>;

export const importReportSchema = z
  .object({
    table: z.string(),
    dryRun: z.boolean(),
    rows: z.int(),
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    failed: z.int(),
    /** The field of each column, and the columns without one. */
    columns: z.record(z.string(), z.string()),
    ignored: z.array(z.string()),
    format: formatSchema,
    errors: z.array(rowErrorSchema),
    /** The number of errors; a row may have several. */
    errorTotal: z.int(),
  })
  .meta({ id: "ImportReport" });
export type ImportReport = z.infer<typeof importReportSchema>;

/** What a file makes of a draft: counts of its rows. `superseded` rows have a key that a later row has too. */
export const draftImportSchema = importReportSchema
  .omit({ dryRun: true })
  .extend({ superseded: z.int() });
export type DraftImport = z.infer<typeof draftImportSchema>;
