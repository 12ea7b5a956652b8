import { z } from "zod";
import { jsonSchema } from "../filter/json-schema.ts";
import { pageSchema } from "./feed.ts";
import {
  filterParam,
  flagParam,
  limitParam,
  namesParam,
  offsetParam,
  wholeParam,
  zoneParam,
} from "./query-params.ts";
import {
  authorSchema,
  nameSchema,
  originSchema,
  recordIdSchema,
  recordSchema,
  valuesSchema,
} from "./record.ts";
import { defineRoutes, listOf } from "./route.ts";

/** Each is another statement. */
const EXPAND_MAX_FIELDS = 10;

/** One entry of a record's history: each visible field that changed, before and after. */
const historyEntrySchema = z
  .object({
    seq: z.int(),
    kind: z.enum(["insert", "update", "delete"]),
    by: authorSchema,
    at: z.string(),
    fields: z.record(z.string(), z.object({ before: jsonSchema, after: jsonSchema })),
    mutation: z.string().optional(),
    /** Absent for changes of other programs, and for those made before origins were recorded. */
    origin: originSchema.optional(),
    /** The change set that made the change. */
    changeSet: z.string().optional(),
    transition: z.string().optional(),
    reason: z.string().optional(),
    /** Fields whose values were erased for good: what they held before and after is null. */
    erased: z.array(z.string()).optional(),
  })
  .meta({ id: "HistoryEntry" });
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

/** One entry of the activity: a change of some record of some table. */
export const activityEntrySchema = historyEntrySchema.extend({
  table: nameSchema,
  record: z.string(),
});
export type ActivityEntry = z.infer<typeof activityEntrySchema>;

export const inTable = z.object({
  table: nameSchema.describe("The name of a table of the model."),
});
const oneRecord = inTable.extend({ id: recordIdSchema.describe("The id of the record.") });

/** The headers that name the base of a call and make its repeat harmless. */
const headers = z.object({
  "If-Match": z
    .string()
    .optional()
    .describe("The `version` of the record that the edit is based on, in quotes; `*` for any."),
  "Idempotency-Key": z
    .string()
    .max(100)
    .optional()
    .describe(
      "Makes a repeat harmless: it is answered like the first call, and not applied again.",
    ),
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
  sort: namesParam
    .optional()
    .describe("Names of fields, joined by commas; `-` before one for descending."),
  search: z.string().max(200).optional().describe("Only records with this text in a field."),
  orderOf: z
    .string()
    .max(64)
    .optional()
    .describe(
      "The id of a view. Records that `sort` does not distinguish are in the order by hand of that view, in place of the order of entry.",
    ),
  fields: namesParam
    .optional()
    .describe("The fields to return, joined by commas; all that you may read by default."),
  zone: zoneParam.optional(),
});
/** Allows an edit to overwrite what somebody else wrote meanwhile. */
const overwriting = z.strictObject({
  overwrite: flagParam
    .optional()
    .describe("Overwrites what others wrote meanwhile, instead of naming a base."),
});

const expandParam = namesParam
  .refine((names) => names.length <= EXPAND_MAX_FIELDS, {
    error: `names at most ${EXPAND_MAX_FIELDS} fields`,
  })
  .optional()
  .describe(
    `Links and user fields, joined by commas, at most ${EXPAND_MAX_FIELDS}: \`expanded\` has what they lead to.`,
  );
const expandedShape = {
  /** With `expand`: by field and id, the values of the linked records that the caller may read, and the names of users. */
  expanded: z.record(z.string(), z.record(z.string(), z.record(z.string(), jsonSchema))).optional(),
};

/** Reading the records of a table. */
export const recordRoutes = defineRoutes(() => ({
  "GET /tables/{table}/records": {
    tokens: true,
    summary: "A page of records (sort=a,-b), and the feed position that it shows.",
    right: "table.read",
    params: inTable,
    query: view.extend({
      limit: limitParam.optional(),
      offset: offsetParam
        .optional()
        .describe(
          "How many records to skip. Pages miss records while others are written; a cursor does not.",
        ),
      expand: expandParam,
      cursor: z
        .string()
        .max(2_000)
        .optional()
        .describe(
          "`start`, then the `next` of each page: reads all records once, without `sort`, `orderOf` and `offset`. The header `Watchfloor-Position` says from where to follow their changes.",
        ),
    }),
    answer: pageSchema.extend(expandedShape).meta({ id: "RecordPage" }),
    errors: ["too_large", "query_timeout"],
  },
  "GET /tables/{table}/export.csv": {
    tokens: true,
    summary:
      "All records of a view as a file that can be imported again. An apostrophe precedes texts that a spreadsheet would run as formulas. With labels=true a column follows each link and user field with the labels of its values. With readable=true it is for reading: labels in place of names, ids and options, no column of ids, and times as the clock of the zone shows them.",
    right: "table.export",
    params: inTable,
    query: view.extend({
      labels: flagParam.optional().describe("Adds the labels of links and users."),
      readable: flagParam
        .optional()
        .describe("Labels and local times only: for reading, not for an import."),
    }),
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
    query: z.strictObject({ expand: expandParam }),
    answer: recordSchema.extend(expandedShape).meta({ id: "ExpandedRecord" }),
    errors: ["record_deleted", "too_large", "query_timeout"],
  },
  "GET /tables/{table}/records/{id}/history": {
    tokens: true,
    summary: "What happened to a record, newest first; `before` is a seq to go on from.",
    right: "table.history",
    params: oneRecord,
    query: z.strictObject({
      limit: limitParam.optional(),
      before: wholeParam.optional().describe("Only changes before this `seq`."),
    }),
    answer: listOf(historyEntrySchema),
    errors: ["too_large", "query_timeout"],
  },
}));

/** Editing one record by the usual verbs: an edit names its base, or overwrites explicitly. */
export const recordEditRoutes = defineRoutes(() => ({
  "POST /tables/{table}/records": {
    tokens: true,
    summary: "Create a record.",
    right: "table.create",
    params: inTable,
    headers,
    body: z
      .strictObject({ values: valuesSchema, record: recordIdSchema.optional() })
      .meta({ examples: [{ values: { title: "Printer on fire", priority: "2 - High" } }] }),
    answer: recordSchema,
    status: 201,
    errors: refusedEdits,
  },
  "PUT /tables/{table}/records": {
    tokens: true,
    summary:
      "Create the record that `key` identifies, or edit it: of an existing record what differs is written. Answers 201 if it was created.",
    right: "table.update",
    params: inTable,
    query: z.strictObject({
      key: nameSchema.describe(
        "The field whose value identifies the record. Several records of that value are `duplicate`, and nothing is written.",
      ),
    }),
    body: z
      .strictObject({ values: valuesSchema })
      .meta({ examples: [{ values: { number: "INC0012", title: "Printer on fire" } }] }),
    answer: recordSchema,
    errors: refusedEdits,
  },
  "PATCH /tables/{table}/records/{id}": {
    tokens: true,
    summary: "Edit fields: `base` holds what the author saw in each, or If-Match the version.",
    right: "table.update",
    params: oneRecord,
    query: overwriting,
    headers,
    body: z.strictObject({ set: valuesSchema, base: valuesSchema.optional() }).meta({
      examples: [{ set: { title: "Printer smokes" }, base: { title: "Printer on fire" } }],
    }),
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
    summary: "Bring a deleted record back; If-Match may name the version of its deletion.",
    right: "table.create",
    params: oneRecord,
    headers,
    answer: recordSchema,
    errors: refusedEdits,
  },
  "POST /tables/{table}/records/{id}/transitions/{name}": {
    tokens: true,
    summary: "Run a transition; `from` is the state that the author saw.",
    right: "table.transitions",
    params: oneRecord.extend({ name: nameSchema.describe("The name of the transition.") }),
    headers,
    body: z
      .strictObject({
        from: z.string().max(500),
        set: valuesSchema.optional(),
        base: valuesSchema.optional(),
        reason: z.string().max(2_000).optional(),
      })
      .meta({ examples: [{ from: "New" }] }),
    answer: recordSchema,
    errors: refusedEdits,
  },
}));
