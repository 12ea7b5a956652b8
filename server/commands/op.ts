import { randomUUID } from "node:crypto";
import { toNfc } from "../../shared/filter/to-nfc.ts";
import {
  hasFormerNames,
  resolveField,
  resolveTable,
  withCurrentNames,
} from "../../shared/model/former-names.ts";
import { findField, type Model, type Table, type Values } from "../../shared/model/model.ts";
import { storedText } from "../../shared/model/normalize-value.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import type { Author, ClientOrigin, Origin } from "../../shared/protocol/record.ts";
import type { Identity } from "../auth/identity.ts";

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

/** A mutation as its caller passes it; without an id it gets one and can't be repeated. */
export interface MutationRequest {
  id?: string | undefined;
  atomic?: boolean | undefined;
  ops: Op[];
  origin?: Origin | undefined;
  changeSet?: string | undefined;
  /** Used in place of a hash of the content, where the same ops may be sent again under other names. */
  hash?: string | undefined;
}

/** A mutation in the name of who calls. */
export function mutationOf(
  { subject, actor, user, token }: Identity,
  { id = randomUUID(), atomic = false, origin = "api", ...request }: MutationRequest,
): Mutation {
  const { id: by, name } = token ?? user;
  const author = { kind: token ? "token" : "user", id: by, name } as const;
  // `idOfNew` stores the id of a new record on its op. The caller may send the same request again, which must be the same content.
  const ops = request.ops.map((op) => (op.op === "create" ? { ...op } : op));
  return { ...request, id, atomic, origin, ops, subject, actor, author };
}

/** How an edit came about: a signed-in browser may say so itself, a token is always `api`. */
export function originOf(
  { session }: Pick<Identity, "session">,
  requested: ClientOrigin | undefined,
  otherwise: Origin,
): Origin {
  return session === null ? "api" : (requested ?? otherwise);
}

/**
 * The id of a new record: the client's, or by the table's rule, or a random one; stored on the op. Composed
 * (NFC) like every text: links are, and two ids that look alike must not be two records.
 */
export function idOfNew(table: Table, op: Op & { op: "create" }): string {
  const field = table.idFrom === undefined ? undefined : findField(table, table.idFrom);
  const given = field && op.values[field.name];
  const named = field && typeof given === "string" ? storedText(field, given) : "";
  op.record = toNfc(op.record ?? (named || randomUUID()));
  return op.record;
}

/**
 * A mutation under the current names: it may have been written before a table or field was renamed. Its hash
 * is that of the sent content, so a repeat of it is still recognised.
 */
export function withCurrentModelNames(model: Model, mutation: Mutation): Mutation {
  if (!hasFormerNames(model)) return mutation;
  return { ...mutation, ops: mutation.ops.map((op) => renamedOp(op, model)) };
}

function renamedOp(op: Op, model: Model): Op {
  const table = resolveTable(model, op.table);
  if (!table) return op;
  const named = { ...op, table: table.name };
  if (named.op === "delete" || named.op === "restore") return named;
  const key = named.key && (resolveField(table, named.key)?.name ?? named.key);
  const keyed = { ...named, ...(key !== undefined && { key }) };
  if (keyed.op === "create") {
    return { ...keyed, values: withCurrentNames(table, keyed.values) };
  }
  return {
    ...keyed,
    ...(keyed.set && { set: withCurrentNames(table, keyed.set) }),
    ...(keyed.base && { base: withCurrentNames(table, keyed.base) }),
  } as Op;
}
