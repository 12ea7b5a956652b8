import { z } from "zod";
import {
  applyAnswerSchema,
  applyChangeSetSchema,
  changeSetSchema,
  changeSetStateSchema,
  createChangeSetSchema,
  patchChangeSetSchema,
  previewSchema,
  previewStatusSchema,
} from "../protocol/change-sets.ts";
import { draftImportOptionsSchema } from "../protocol/import-options.ts";
import { draftImportSchema, rejectedRowSchema } from "../protocol/import-report.ts";
import { limitParam, offsetParam, wholeParam } from "./query-params.ts";
import { byId, defineRoutes, listOf } from "./route.ts";

/** Many changes as one thing. Its author changes and applies a set; others see what it has applied, within their scopes. */
export const changeSetRoutes = defineRoutes({
  "GET /change-sets": {
    tokens: true,
    summary: "One's own sets, and those of others that changed what one may read, newest first.",
    right: "session",
    query: z.strictObject({
      state: changeSetStateSchema.optional().describe("Only sets in this state."),
      by: z.string().max(120).optional().describe("Only sets of the author with this id."),
      limit: limitParam.optional(),
    }),
    answer: listOf(changeSetSchema),
    errors: ["query_timeout"],
  },
  "POST /change-sets": {
    tokens: true,
    summary:
      "Create a draft: of ops, to revert changes, or of one edit to all records that match a filter.",
    right: "session",
    body: createChangeSetSchema.meta({
      examples: [
        {
          title: "Late shift",
          ops: [{ op: "create", table: "groups", values: { name: "Late shift" } }],
        },
      ],
    }),
    answer: changeSetSchema,
    status: 201,
    errors: ["not_found", "query_timeout"],
  },
  "GET /change-sets/{id}": {
    tokens: true,
    summary: "One set: its state, and how far it is applied.",
    right: "session",
    params: byId,
    answer: changeSetSchema,
    errors: ["query_timeout"],
  },
  "PATCH /change-sets/{id}": {
    tokens: true,
    summary:
      "Rename a draft, add ops to it, replace some by their index, or resolve their conflicts.",
    right: "session",
    params: byId,
    body: patchChangeSetSchema,
    answer: changeSetSchema,
    errors: ["conflict", "query_timeout"],
  },
  "DELETE /change-sets/{id}": {
    tokens: true,
    summary: "Delete a set that has applied nothing.",
    right: "session",
    params: byId,
    errors: ["conflict"],
  },
  "POST /change-sets/{id}/import": {
    tokens: true,
    summary:
      "Add the rows of a CSV file (the body, text/csv) to a draft. With `key`, the last row of each value counts. Bad rows are left out and can be downloaded.",
    right: "session",
    params: byId,
    query: draftImportOptionsSchema,
    file: "text/csv",
    answer: draftImportSchema,
    errors: ["conflict", "query_timeout"],
  },
  "GET /change-sets/{id}/rejects.csv": {
    tokens: true,
    summary: "The rows of a set's file that were left out, each with its line and the reasons.",
    right: "session",
    params: byId,
    download: "text/csv",
    errors: ["query_timeout"],
  },
  "GET /change-sets/{id}/rejects": {
    tokens: true,
    summary:
      "The same rows in the order of the file, each reason with its key and values. The next ones come after the last line.",
    right: "session",
    params: byId,
    query: z.strictObject({
      after: wholeParam.optional().describe("Only rows after this line."),
      limit: limitParam.optional(),
    }),
    answer: listOf(rejectedRowSchema).extend({
      header: z.array(z.string()).describe("The names of the file's columns."),
    }),
    errors: ["query_timeout"],
  },
  "GET /change-sets/{id}/preview": {
    tokens: true,
    summary:
      "What a draft would do, op by op, evaluated as at the commit; of another set, what it did.",
    right: "session",
    params: byId,
    query: z.strictObject({
      status: previewStatusSchema.optional().describe("Only ops with this status."),
      limit: limitParam.optional(),
      offset: offsetParam.optional(),
    }),
    answer: previewSchema,
    errors: ["conflict", "too_large", "query_timeout"],
  },
  "POST /change-sets/{id}/apply": {
    tokens: true,
    summary:
      "Apply a draft, without the ops whose indexes `skip` names. Answers 202 while a large set is being applied; ask again for the outcome.",
    right: "session",
    params: byId,
    body: applyChangeSetSchema.meta({ examples: [{ skip: [1] }] }),
    answer: applyAnswerSchema,
    errors: ["conflict", "too_large", "query_timeout"],
  },
  "POST /change-sets/{id}/cancel": {
    tokens: true,
    summary:
      "Give a draft up, with its ops, or end a set that is being applied after its present batch.",
    right: "session",
    params: byId,
    answer: changeSetSchema,
    errors: ["conflict", "query_timeout"],
  },
  "POST /change-sets/{id}/revert": {
    tokens: true,
    summary: "Create a draft whose ops are the inverses of what the set changed.",
    right: "session",
    params: byId,
    answer: changeSetSchema,
    status: 201,
    errors: ["conflict", "too_large", "query_timeout"],
  },
});
