import { type MutateAnswer, type MutateCall, mutateSchema } from "../../shared/protocol/mutate.ts";
import type { Identity } from "../auth/identity.ts";
import type { Call } from "./call.ts";

export type Mutate = (identity: Identity, call: MutateCall) => Promise<MutateAnswer>;

/**
 * Handed over in the order in which the messages came, so that one person's edits keep theirs. An
 * answer found under rights that ended meanwhile is never sent: asking again by the same id does
 * nothing again and tells what may be told today.
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
