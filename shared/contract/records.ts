import { z } from "zod";
import { historyEntrySchema } from "../protocol/history.ts";
import { pageSchema } from "../protocol/query.ts";
import { nameSchema, recordIdSchema, recordSchema, valuesSchema } from "../protocol/record.ts";
import { filterParam, flagParam, namesParam, wholeParam, zoneParam } from "./query-params.ts";
import { defineRoutes, listOf } from "./route.ts";

export const inTable = z.object({ table: nameSchema });
const oneRecord = inTable.extend({ id: recordIdSchema });

/** The headers that name the base of a call and make its repeat harmless. */
const headers = z.object({
  "If-Match": z.string().optional(),
  "Idempotency-Key": z.string().max(100).optional(),
});
/** The errors of an edit of one record. */
const refusedEdits = [
  "base_required",
  "conflict",
  "duplicate",
  "record_deleted",
  "validation_failed",
  "transition_required",
  "transition_not_allowed",
  "transition_incomplete",
  "field_locked",
  "link_broken",
  "still_linked",
  "mutation_mismatch",
  "query_timeout",
] as const;
/** Which records, in which order, and which of their fields. */
const view = z.strictObject({
  filter: filterParam.optional(),
  sort: namesParam.optional(),
  search: z.string().max(200).optional(),
  fields: namesParam.optional(),
  zone: zoneParam.optional(),
});
/** Allows an edit to overwrite what somebody else wrote meanwhile. */
const overwriting = z.strictObject({ overwrite: flagParam.optional() });

/** Reading the records of a table. */
export const recordRoutes = defineRoutes({
  "GET /tables/{table}/records": {
    tokens: true,
    summary: "A page of records (sort=a,-b), and the feed position that it shows.",
    right: "table.read",
    params: inTable,
    query: view.extend({ limit: wholeParam.optional(), offset: wholeParam.optional() }),
    answer: pageSchema,
    errors: ["too_large", "query_timeout"],
  },
  "GET /tables/{table}/export.csv": {
    tokens: true,
    summary:
      "All records of a view as a file that can be imported again. An apostrophe precedes texts that a spreadsheet would run as formulas. With labels=true a column follows each link and user field with the labels of its values.",
    right: "table.export",
    params: inTable,
    query: view.extend({ labels: flagParam.optional() }),
    download: "text/csv",
    errors: ["query_timeout"],
  },
  "GET /tables/{table}/export.jsonl": {
    tokens: true,
    summary: "All records of a view as a file with a line of JSON for each.",
    right: "table.export",
    params: inTable,
    query: view,
    download: "application/jsonl",
    errors: ["query_timeout"],
  },
  "GET /tables/{table}/records/{id}": {
    tokens: true,
    summary: "One record.",
    right: "table.read",
    params: oneRecord,
    answer: recordSchema,
    errors: ["record_deleted", "query_timeout"],
  },
  "GET /tables/{table}/records/{id}/history": {
    tokens: true,
    summary: "What happened to a record, newest first; `before` is a seq to go on from.",
    right: "table.history",
    params: oneRecord,
    query: z.strictObject({ limit: wholeParam.optional(), before: wholeParam.optional() }),
    answer: listOf(historyEntrySchema),
    errors: ["query_timeout"],
  },
});

/** Editing one record by the usual verbs: an edit names its base, or overwrites explicitly. */
export const recordEditRoutes = defineRoutes({
  "POST /tables/{table}/records": {
    tokens: true,
    summary: "Create a record.",
    right: "table.create",
    params: inTable,
    headers,
    body: z.strictObject({ values: valuesSchema, record: recordIdSchema.optional() }),
    answer: recordSchema,
    status: 201,
    errors: refusedEdits,
  },
  "PATCH /tables/{table}/records/{id}": {
    tokens: true,
    summary: "Edit fields: `base` holds what the author saw in each, or If-Match the version.",
    right: "table.update",
    params: oneRecord,
    query: overwriting,
    headers,
    body: z.strictObject({ set: valuesSchema, base: valuesSchema.optional() }),
    answer: recordSchema,
    errors: refusedEdits,
  },
  "DELETE /tables/{table}/records/{id}": {
    tokens: true,
    summary: "Delete a record: the version that the author saw in If-Match, or ?overwrite=true.",
    right: "table.delete",
    params: oneRecord,
    query: overwriting,
    headers,
    errors: refusedEdits,
  },
  "POST /tables/{table}/records/{id}/restore": {
    tokens: true,
    summary: "Bring a deleted record back.",
    right: "table.delete",
    params: oneRecord,
    headers,
    answer: recordSchema,
    errors: refusedEdits,
  },
  "POST /tables/{table}/records/{id}/transitions/{name}": {
    tokens: true,
    summary: "Run a transition; `from` is the state that the author saw.",
    right: "table.transitions",
    params: oneRecord.extend({ name: nameSchema }),
    headers,
    body: z.strictObject({
      from: z.string().max(500),
      set: valuesSchema.optional(),
      base: valuesSchema.optional(),
      reason: z.string().max(2_000).optional(),
    }),
    answer: recordSchema,
    errors: refusedEdits,
  },
});
