import type { ImportReport, RowError } from "../../shared/protocol/imports.ts";

/** The first of many bad rows are reported one by one, the rest as a number. */
const REPORTED_ERRORS_MAX = 200;

export interface RejectedRow {
  line: number;
  errors: readonly RowError[];
}

/** Counts rows as they are finished. A row is counted once, however many errors it has. */
export class ReportBuilder {
  readonly #report: ImportReport;
  #rejected: RejectedRow[] = [];

  constructor(head: Pick<ImportReport, "table" | "dryRun" | "columns" | "ignored" | "format">) {
    const counts = { rows: 0, created: 0, updated: 0, unchanged: 0, failed: 0 };
    this.#report = { ...head, ...counts, errors: [], errorTotal: 0, changeSet: null };
  }

  finish(outcome: "created" | "updated" | "unchanged"): void {
    this.#report.rows += 1;
    this.#report[outcome] += 1;
  }

  fail(errors: readonly RowError[]): void {
    this.#report.rows += 1;
    this.#report.failed += 1;
    this.#report.errorTotal += errors.length;
    this.#rejected.push({ line: errors[0]?.line ?? 0, errors });
    const room = REPORTED_ERRORS_MAX - this.#report.errors.length;
    this.#report.errors.push(...errors.slice(0, Math.max(room, 0)));
  }

  /** The rows that were refused since the last call. */
  takeRejected(): RejectedRow[] {
    const taken = this.#rejected;
    this.#rejected = [];
    return taken;
  }

  /** The report so far, in the order of the lines. */
  done(): ImportReport {
    this.#report.errors.sort((a, b) => a.line - b.line);
    return this.#report;
  }
}
