import type { Values } from "../../shared/model/model.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import type { Origin } from "../../shared/protocol/origin.ts";
import type { Author } from "../../shared/protocol/record.ts";

/**
 * The ops of commands: those of the wire, and what REST adds (`If-Match`, `?overwrite=true`). An update names
 * its base in one of three ways; it never overwrites unless it says so.
 */
export type Op =
  | {
      op: "create";
      table: string;
      record?: string | undefined;
      values: Values;
      /** A field that identifies the record, as the key of an imported file: refused if a readable record has the value. */
      key?: string | undefined;
    }
  | {
      op: "update";
      table: string;
      record: string;
      set: Values;
      base?: Values | undefined;
      /** The version of the whole record that the author saw. */
      ifMatch?: string | undefined;
      overwrite?: boolean | undefined;
    }
  | {
      op: "delete";
      table: string;
      record: string;
      version?: string | undefined;
      overwrite?: boolean | undefined;
    }
  | {
      op: "restore";
      table: string;
      record: string;
      /** The version of the deletion that the author saw. */
      version?: string | undefined;
    }
  | {
      op: "transition";
      table: string;
      record: string;
      transition: string;
      from: string;
      set?: Values | undefined;
      base?: Values | undefined;
      reason?: string | undefined;
    };

/** Many ops under one id, by one author. A repeat of the id is answered, not applied again. */
export interface Mutation {
  id: string;
  atomic: boolean;
  ops: Op[];
  subject: Subject;
  /** The author as the log names them: `user:<id>`. */
  actor: string;
  author: Author;
  origin: Origin;
  /** The change set whose ops these are. */
  changeSet?: string | undefined;
  hash?: string | undefined;
}
