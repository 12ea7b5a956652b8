import type { Author } from "../../../../shared/protocol/record.ts";

/** A cell that a committed change has just altered, for the flash in the author's colour. */
export interface Flash {
  record: string;
  field: string;
  by: Author;
  /** My own edit, now confirmed. */
  mine: boolean;
}

/** What one tick touched: confirmed values, overlay or marks. */
export interface Touched {
  records: ReadonlySet<string>;
  flashes: readonly Flash[];
  /** The fields that logged changes have set, and `id` if records came or went: of all visible records. */
  changed: ReadonlySet<string>;
}
