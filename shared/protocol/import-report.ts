import { z } from "zod";

const rowErrorSchema = z.object({
  line: z.int(),
  field: z.string().optional(),
  code: z.string(),
  rule: z.string().optional(),
  message: z.string(),
});
export type RowError = z.infer<typeof rowErrorSchema>;

export const importReportSchema = z.object({
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
  errors: z.array(rowErrorSchema),
  /** The number of errors; a row may have several. */
  errorTotal: z.int(),
});
export type ImportReport = z.infer<typeof importReportSchema>;
