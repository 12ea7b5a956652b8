import type { IncomingHttpHeaders } from "node:http";
import { type ErrorBody, Refusal } from "../../shared/protocol/errors.ts";
import type { OpResult } from "../../shared/protocol/mutate.ts";
import type { WireRecord } from "../../shared/protocol/record.ts";
import type { Identity } from "../auth/identity.ts";
import type { Commands } from "../commands/commands.ts";
import type { Op } from "../commands/op.ts";
import { readIdempotencyKey } from "./edit-conditions.ts";

/** A REST verb on one record is a mutation of one op: runs it, and throws the op's refusal. */
export async function runSingleOp(
  commands: Pick<Commands, "mutate">,
  identity: Identity,
  op: Op,
  headers: IncomingHttpHeaders,
): Promise<OpResult & { ok: true }> {
  const request = { ...readIdempotencyKey(headers), ops: [op] };
  const [result] = (await commands.mutate(identity, request)).results;
  if (!result) throw new Error("A mutation of one op was answered without a result.");
  if (result.ok) return result;
  throw Refusal.fromBody(result.error as ErrorBody);
}

/**
 * The record after an op, as its author may see it. An edit may move a record out of its author's scope: it
 * is applied all the same, and nothing is returned.
 */
export async function recordAfter(
  commands: Pick<Commands, "readRecord">,
  identity: Identity,
  table: string,
  { record, version }: OpResult & { ok: true },
): Promise<WireRecord> {
  try {
    return await commands.readRecord(identity, table, record);
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error;
    return { id: record, version, values: {} };
  }
}
