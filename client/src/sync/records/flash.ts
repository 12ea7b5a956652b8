import type { Author } from "../../../../shared/protocol/record.ts";

/** A cell that a committed change has just altered, for the flash in the author's colour. */
export interface Flash {
  record: string;
  field: string;
  by: Author;
  /** My own edit, now confirmed. */
  mine: boolean;
}
