import { z } from "zod";
import { changeSchema } from "../../../shared/protocol/changes.ts";
import { Refusal } from "../../../shared/protocol/errors.ts";
import { nameSchema } from "../../../shared/protocol/record.ts";
import type { AppDeps } from "../app-deps.ts";
import { listOf } from "../list-of.ts";
import { wholeParam } from "../query-params.ts";
import { type Route, route } from "../route.ts";

const query = z.strictObject({
  table: nameSchema.optional(),
  after: z.string().max(100).optional(),
  limit: wholeParam.optional(),
});

const ofTable = listOf(changeSchema).extend({ epoch: z.string(), seq: z.int(), head: z.int() });
const latest = listOf(changeSchema.extend({ table: nameSchema }));

/** The log in the scope of the caller: of a table from a position on, or the newest of all tables. */
export function changeRoutes({ commands }: Pick<AppDeps, "commands">): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/changes",
        summary:
          "The changes of a table after a position `epoch.seq`, oldest first; go on from the `seq` of the answer. Without a table the newest of all, newest first.",
        query,
        answer: z.union([ofTable, latest]),
      },
      async (identity, { query: { table, after, limit } }) => {
        if (table !== undefined) {
          return { body: await commands.readChanges(identity, { table, after, limit }) };
        }
        if (after !== undefined) {
          const text = "A position is one of a table: say which.";
          throw new Refusal("invalid_request", { at: "table" }, text);
        }
        return { body: await commands.readLatestChanges(identity, { limit }) };
      },
    ),
  ];
}
