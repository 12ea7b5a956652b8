import { type Page, type QueryCall, querySchema } from "../../shared/protocol/query.ts";
import type { Identity } from "../auth/identity.ts";
import type { Call } from "./call.ts";

export type ReadPage = (identity: Identity, call: QueryCall) => Promise<Page>;

/** A page that was read under rights which ended meanwhile is never sent: it is read again. */
export function query(readPage: ReadPage): Call<QueryCall, Page> {
  return {
    schema: querySchema,
    isActivity: false,
    async run({ connection, rights: first }, call, answer) {
      let rights: typeof first | null = first;
      while (rights) {
        const { identity } = rights;
        const page = await connection.read(() => readPage(identity, call));
        if (connection.isCurrent(rights)) {
          connection.requireCapacity();
          answer(page);
          return;
        }
        rights = await connection.verifiedRights();
      }
    },
  };
}
