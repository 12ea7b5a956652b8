import { z } from "zod";
import { historyEntrySchema } from "../../../shared/protocol/history.ts";
import { pageSchema } from "../../../shared/protocol/query.ts";
import { nameSchema, recordIdSchema, recordSchema } from "../../../shared/protocol/record.ts";
import type { AppDeps } from "../app-deps.ts";
import { listOf } from "../list-of.ts";
import { filterParam, namesParam, wholeParam, zoneParam } from "../query-params.ts";
import { type Route, route } from "../route.ts";

/** Reading the records of a table. Rights, scopes and refusals are the commands' business. */

const inTable = z.object({ table: nameSchema });
const oneRecord = z.object({ table: nameSchema, id: recordIdSchema });

const pageQuery = z.strictObject({
  filter: filterParam.optional(),
  sort: namesParam.optional(),
  search: z.string().max(200).optional(),
  limit: wholeParam.optional(),
  offset: wholeParam.optional(),
  fields: namesParam.optional(),
  zone: zoneParam.optional(),
});

export function recordRoutes({ commands }: Pick<AppDeps, "commands">): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/tables/{table}/records",
        summary: "A page of records (sort=a,-b), and the feed position that it shows.",
        params: inTable,
        query: pageQuery,
        answer: pageSchema,
      },
      async (identity, { params, query }) => ({
        body: await commands.readPage(identity, { ...query, table: params.table }),
      }),
    ),
    route(
      {
        method: "get",
        path: "/tables/{table}/records/{id}",
        summary: "One record.",
        params: oneRecord,
        answer: recordSchema,
      },
      async (identity, { params }) => {
        const record = await commands.readRecord(identity, params.table, params.id);
        return { body: record, headers: { ETag: `"${record.version}"` } };
      },
    ),
    route(
      {
        method: "get",
        path: "/tables/{table}/records/{id}/history",
        summary: "What happened to a record, newest first; `before` is a seq to go on from.",
        params: oneRecord,
        query: z.strictObject({ limit: wholeParam.optional(), before: wholeParam.optional() }),
        answer: listOf(historyEntrySchema),
      },
      async (identity, { params, query }) => {
        const items = await commands.readHistory(identity, params.table, params.id, query);
        return { body: { items, total: items.length } };
      },
    ),
  ];
}
