import { z } from "zod";

/** What became of an import: the answer of the REST call and what the command line prints. */

/** Of many bad rows the first are told one by one, the rest as a number. */
const REPORTED_ERRORS_MAX = 200;

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
  /** Which column went into which field, and the columns that went nowhere. */
  columns: z.record(z.string(), z.string()),
  ignored: z.array(z.string()),
  errors: z.array(rowErrorSchema),
  /** How many errors there were; a row may have several. */
  errorTotal: z.int(),
});
export type ImportReport = z.infer<typeof importReportSchema>;

/** Counts rows as they are settled. A row is counted once, whatever number of errors it has. */
export class ReportBuilder {
  readonly #report: ImportReport;

  constructor(head: Pick<ImportReport, "table" | "dryRun" | "columns" | "ignored">) {
    const counts = { rows: 0, created: 0, updated: 0, unchanged: 0, failed: 0 };
    this.#report = { ...head, ...counts, errors: [], errorTotal: 0 };
  }

  settle(outcome: "created" | "updated" | "unchanged"): void {
    this.#report.rows += 1;
    this.#report[outcome] += 1;
  }

  fail(errors: readonly RowError[]): void {
    this.#report.rows += 1;
    this.#report.failed += 1;
    this.#report.errorTotal += errors.length;
    const room = REPORTED_ERRORS_MAX - this.#report.errors.length;
    this.#report.errors.push(...errors.slice(0, Math.max(room, 0)));
  }

  /** The report so far, in the order of the lines. */
  done(): ImportReport {
    this.#report.errors.sort((a, b) => a.line - b.line);
    return this.#report;
  }
}
