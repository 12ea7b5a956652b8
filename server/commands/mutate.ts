import { randomUUID } from "node:crypto";
import { isStorable } from "../../shared/filter/storable.ts";
import type { Limits } from "../../shared/limits.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { MutateAnswer } from "../../shared/protocol/mutate.ts";
import type { ClientOrigin, Origin } from "../../shared/protocol/record.ts";
import type { Identity } from "../auth/identity.ts";
import type { Committer } from "./committer.ts";
import type { Mutation, Op } from "./op.ts";

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
  return { ...request, id, atomic, origin, subject, actor, author };
}

/** How an edit came about: a signed-in browser may say so itself, a token is always `api`. */
export function originOf(
  { session }: Pick<Identity, "session">,
  requested: ClientOrigin | undefined,
  otherwise: Origin,
): Origin {
  return session === null ? "api" : (requested ?? otherwise);
}

/** The only way to change records, on every write path: grid, paste, import, undo, REST, token. */
export async function mutate(
  committer: Committer,
  limits: Limits,
  identity: Identity,
  request: MutationRequest,
): Promise<MutateAnswer> {
  const mutation = mutationOf(identity, request);
  const { id, ops } = mutation;
  if (ops.length > limits.MUTATION_MAX_OPS) {
    throw new Refusal("too_large", { limit: limits.MUTATION_MAX_OPS, size: ops.length });
  }
  if (!isStorable(id)) throw new Refusal("invalid_request", { at: "id" });
  return { results: await committer.commit(mutation) };
}
