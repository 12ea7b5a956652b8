import { z } from "zod";
import { wordingShape } from "../filter/wording.ts";

const rowErrorSchema = z.object({
  line: z.int(),
  field: z.string().optional(),
  code: z.string(),
  rule: z.string().optional(),
  message: z.string(),
  ...wordingShape,
});
export type RowError = z.infer<typeof rowErrorSchema>;

/** How dates and numbers were read, given or detected; null is the product's own form. */
const formatSchema = z.object({
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

/** What a file makes of a draft: counts of its rows. `superseded` rows have a key that a later row has too. */
export const draftImportSchema = importReportSchema
  .omit({ dryRun: true, changeSet: true })
  .extend({ superseded: z.int() });
export type DraftImport = z.infer<typeof draftImportSchema>;
