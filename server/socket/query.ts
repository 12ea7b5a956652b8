import { type Page, type QueryCall, querySchema } from "../../shared/protocol/query.ts";
import type { Identity } from "../auth/identity.ts";
import type { Call } from "./call.ts";

export type ReadPage = (identity: Identity, call: QueryCall) => Promise<Page>;

/** A page that was read under rights which ended meanwhile is never sent: it is read again. */
export function query(readPage: ReadPage): Call<QueryCall, Page> {
  return {
    schema: querySchema,
    isActivity: true,
    async run({ connection, standing: first }, call, answer) {
      let standing: typeof first | null = first;
      while (standing) {
        const { identity } = standing;
        const page = await connection.read(() => readPage(identity, call));
        if (connection.holds(standing)) {
          connection.requireRoom();
          answer(page);
          return;
        }
        standing = await connection.standing();
      }
    },
  };
}
