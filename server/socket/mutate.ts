import { type MutateAnswer, type MutateCall, mutateSchema } from "../../shared/protocol/mutate.ts";
import type { Identity } from "../auth/identity.ts";
import type { Call } from "./call.ts";

export type Mutate = (identity: Identity, call: MutateCall) => Promise<MutateAnswer>;

/**
 * Called in the order of the messages, so that one user's edits stay in order. An answer found under rights
 * that ended meanwhile is never sent: repeating the call with the same id applies nothing again and returns
 * what may be shown now.
 */
export function mutate(run: Mutate): Call<MutateCall, MutateAnswer> {
  return {
    schema: mutateSchema,
    isActivity: true,
    async run({ connection, rights: first }, call, answer) {
      let rights: typeof first | null = first;
      while (rights) {
        const answered = await run(rights.identity, call);
        if (connection.isCurrent(rights)) {
          connection.requireCapacity();
          answer(answered);
          return;
        }
        rights = await connection.verifiedRights();
      }
    },
  };
}
