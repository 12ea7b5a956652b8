import { isDeepStrictEqual } from "node:util";
import { unavailable } from "../../shared/protocol/errors.ts";
import type { Identity } from "../auth/identity.ts";
import { authorOf } from "../store/author.ts";
import type { ChangeSetContext } from "./change-set-context.ts";

/**
 * The rights of a caller whose request takes long, compared with those of now. Throws `unavailable` where they have changed,
 * and where the account or token is no longer active: sent again, the request is authorised again.
 */
export async function currentRights(
  { identify }: Pick<ChangeSetContext, "identify">,
  identity: Identity,
) {
  const author = authorOf(identity.actor, null);
  const readSubject = async () => {
    const found = await identify(author);
    if (!found) throw unavailable();
    return found.subject;
  };
  const first = await readSubject();
  const current = async (): Promise<Identity> => {
    const subject = await readSubject();
    return isDeepStrictEqual(subject, first) ? identity : { ...identity, subject };
  };
  return {
    async requireUnchanged(): Promise<void> {
      if ((await current()) !== identity) throw unavailable();
    },
    /** What is read with the rights of now; read again where they change meanwhile. */
    async read<Result>(read: (reader: Identity) => Promise<Result>): Promise<Result> {
      for (;;) {
        const reader = await current();
        const result = await read(reader);
        if (isDeepStrictEqual((await current()).subject, reader.subject)) return result;
      }
    },
  };
}
