import type { Values } from "../../shared/model/model.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import type { Author, Origin } from "../../shared/protocol/record.ts";

/**
 * The ops of commands: those of the wire, and what REST adds (`If-Match`, `?overwrite=true`). An update names
 * its base in one of three ways; it never overwrites unless it says so.
 */
export type Op =
  | Exclude<WireOp, { op: "create" | "update" | "delete" | "transition" }>
  | (Extract<WireOp, { op: "create" }> & {
      /** A field that identifies the record, as the key of an imported file: refused if a readable record has the value. */
      key?: string | undefined;
    })
  | (Extract<WireOp, { op: "transition" }> & KeyedOp)
  | (Omit<Extract<WireOp, { op: "update" }>, "base"> &
      KeyedOp & {
        base?: Values | undefined;
        /** The version of the whole record that the author saw. */
        ifMatch?: string | undefined;
        overwrite?: boolean | undefined;
      })
  | (Omit<Extract<WireOp, { op: "delete" }>, "version"> & {
      version?: string | undefined;
      overwrite?: boolean | undefined;
    });

interface KeyedOp {
  /** The field by which the record was found: a conflict if it no longer holds the value that `base` names. */
  key?: string | undefined;
}

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
