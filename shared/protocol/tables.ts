import { z } from "zod";
import { groupUnits } from "../model/view/summary-ops.ts";
import { changeSchema } from "./feed.ts";
import { importOptionsSchema, importReportSchema } from "./imports.ts";
import { mutateAnswerSchema, mutateSchema } from "./mutate.ts";
import { filterParam, limitParam, measureParam, timeParam, zoneParam } from "./query-params.ts";
import { nameSchema, originSchema, recordIdSchema } from "./record.ts";
import { activityEntrySchema, inTable } from "./records.ts";
import { defineRoutes, listOf } from "./route.ts";
import { summarySchema } from "./summary.ts";

const changesAfter = listOf(changeSchema).extend({
  epoch: z.string(),
  /** Where to continue: everything up to here has been answered, visible or not. */
  seq: z.int(),
  head: z.int(),
});
export type ChangesAfter = z.output<typeof changesAfter>;
const activityFilter = z.strictObject({
  table: nameSchema.optional().describe("Only changes of this table."),
  record: recordIdSchema.optional().describe("Only changes of the record with this id."),
  by: z.string().max(400).optional().describe("Only changes by the author with this id."),
  field: nameSchema.optional().describe("Only changes of this field."),
  kind: z.enum(["insert", "update", "delete"]).optional().describe("Only changes of this kind."),
  origin: originSchema.optional().describe("Only changes that were made this way."),
  changeSet: z
    .string()
    .max(100)
    .optional()
    .describe("Only changes by the change set with this id."),
  from: timeParam.optional().describe("Only changes at or after this time."),
  to: timeParam.optional().describe("Only changes before this time."),
  search: z.string().max(200).optional().describe("Only changes with this text in a value."),
});
export type ActivityQuery = z.output<typeof activityFilter>;
const activityErrors = ["forbidden", "not_found", "query_timeout"] as const;
const activity = listOf(activityEntrySchema).extend({ next: z.string().nullable() });

/** Many records at once: mutations, files, values over a table, the change log. */
export const tableRoutes = defineRoutes(() => ({
  "POST /mutations": {
    tokens: true,
    summary: "Many ops at once; `id` makes a repeat harmless: it is answered, not applied again.",
    right: "session",
    body: mutateSchema.meta({
      examples: [
        {
          id: "my-batch-1",
          atomic: true,
          ops: [{ op: "create", table: "groups", values: { name: "Day shift" } }],
        },
      ],
    }),
    answer: mutateAnswerSchema,
    errors: ["mutation_mismatch"],
  },
  "POST /tables/{table}/imports": {
    tokens: true,
    summary:
      "Import a CSV file (the body, text/csv); each bad row is reported and does not affect the others.",
    right: "table.create",
    params: inTable,
    query: importOptionsSchema,
    file: "text/csv",
    answer: importReportSchema,
    errors: ["conflict", "query_timeout"],
  },
  "GET /tables/{table}/summary": {
    tokens: true,
    summary:
      "Count, or measure=sum:field and others, as one value or by a group field. Decimals are exact.",
    right: "table.read",
    params: inTable,
    query: z.strictObject({
      filter: filterParam.optional(),
      search: z.string().max(200).optional().describe("Only records with this text in a field."),
      group: nameSchema
        .optional()
        .describe("A field: one row for each of its values, in their order; at most 1,000 rows."),
      by: z
        .enum(groupUnits)
        .optional()
        .describe("Of a date or time: one row for each day or month."),
      measure: measureParam.optional(),
      zone: zoneParam.optional(),
    }),
    answer: summarySchema,
    errors: ["query_timeout"],
  },
  "GET /changes": {
    tokens: true,
    summary:
      "The activity: the newest changes that match, newest first; go on with the `next` of the answer as `before`. With `after` the log of a table after a position `epoch.seq` (or from its `start`), oldest first; go on from the `seq` of the answer.",
    right: "session",
    query: activityFilter.extend({
      before: z.string().max(20).optional().describe("The `next` of the previous page."),
      after: z.string().max(100).optional().describe("A position `epoch.seq`, or `start`."),
      limit: limitParam.optional(),
    }),
    answer: z.union([changesAfter, activity]),
    errors: [...activityErrors, "too_large", "resync_required"],
  },
  "GET /changes/export.csv": {
    tokens: true,
    summary:
      "The activity that matches, newest first, as a file with a line for each changed field. An apostrophe precedes texts that a spreadsheet would run as formulas.",
    right: "activity",
    query: activityFilter,
    download: "text/csv",
    errors: activityErrors,
  },
  "GET /changes/export.jsonl": {
    tokens: true,
    summary:
      "The activity that matches, newest first, as a file with a line of JSON for each change.",
    right: "activity",
    query: activityFilter,
    download: "application/jsonl",
    errors: activityErrors,
  },
}));
