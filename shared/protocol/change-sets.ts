import { z } from "zod";
import { filterSchema } from "../filter/filter.ts";
import { jsonSchema } from "../filter/json-schema.ts";
import { zoneSchema } from "../model/wallboard/tile-parts.ts";
import {
  correctedRowsSchema,
  draftImportOptionsSchema,
  draftImportSchema,
  rejectedRowSchema,
  rowCorrectionSchema,
} from "./imports.ts";
import { errorBodySchema, opSchema } from "./mutate.ts";
import { limitParam, offsetParam, wholeParam } from "./query-params.ts";
import {
  authorSchema,
  clientOriginSchema,
  nameSchema,
  originSchema,
  recordIdSchema,
  valuesSchema,
} from "./record.ts";
import { byId, defineRoutes, listOf } from "./route.ts";

/** The place of an op in its set: as much as its column holds. */
const placeSchema = z.int().min(0).max(2_147_483_647);
const titleSchema = z.string().trim().min(1).max(200);
const timeSchema = z.iso.datetime({ offset: true });

/** Which changes to revert: those named, or all that match. */
const revertSchema = z.union([
  z.strictObject({
    changes: z
      .array(z.strictObject({ table: nameSchema, seq: z.int().min(1) }))
      .min(1)
      .max(1_000),
  }),
  z.strictObject({
    by: z.string().min(1).max(400),
    from: timeSchema,
    to: timeSchema.optional(),
    table: nameSchema.optional(),
    record: recordIdSchema.optional(),
  }),
]);
export type RevertCall = z.infer<typeof revertSchema>;

/** One edit to all records of a table that a view shows: values to set, or a transition to run. */
const bulkEditSchema = z
  .strictObject({
    table: nameSchema,
    filter: filterSchema.nullish(),
    search: z.string().max(200).optional(),
    /** The zone in which `$today` begins; that of the model by default. */
    zone: zoneSchema.optional(),
    set: valuesSchema.optional(),
    transition: nameSchema.optional(),
    reason: z.string().max(2_000).optional(),
  })
  .refine(({ set, transition }) => set !== undefined || transition !== undefined, {
    message: "Say what to set, or which transition to run.",
  });
export type BulkEdit = z.infer<typeof bulkEditSchema>;

/**
 * The ops of a set; or the changes that it shall revert: its ops are then their inverses; or one edit, which becomes an op
 * for each record that matches now.
 */
const createChangeSetSchema = z.union([
  z.strictObject({
    title: titleSchema.optional(),
    origin: clientOriginSchema.optional(),
    ops: z.array(opSchema).optional(),
  }),
  z.strictObject({ title: titleSchema.optional(), revert: revertSchema }),
  z.strictObject({ title: titleSchema.optional(), bulk: bulkEditSchema }),
]);
export type CreateChangeSetCall = z.infer<typeof createChangeSetSchema>;

/**
 * Decides one conflicting cell of an op: `mine` is written over `theirs`, the value that the author saw in the conflict;
 * `theirs` takes the cell out of the op. Theirs in the state of a transition takes its state out, and theirs in a
 * deletion keeps the record.
 */
const resolutionSchema = z.strictObject({
  index: placeSchema,
  field: nameSchema,
  keep: z.enum(["mine", "theirs"]),
  theirs: jsonSchema,
});
export type Resolution = z.infer<typeof resolutionSchema>;

/** `add` appends ops, `replace` puts others in their places, and `resolve` decides conflicts. */
const patchChangeSetSchema = z.strictObject({
  title: titleSchema.optional(),
  add: z.array(opSchema).optional(),
  replace: z.array(z.strictObject({ index: placeSchema, op: opSchema })).optional(),
  resolve: z.array(resolutionSchema).max(1_000).optional(),
});
export type PatchChangeSetCall = z.infer<typeof patchChangeSetSchema>;

/**
 * Without `atomic` nothing is applied while validation finds a conflict or an error that is not skipped. `true`:
 * besides, all ops are committed together. `false`: each op by itself, whatever becomes of the others. With `version`
 * only the draft of that version is applied: an API token may have changed it since its creator read it.
 */
const applyChangeSetSchema = z.strictObject({
  version: z.int().min(0).optional(),
  atomic: z.boolean().optional(),
  skip: z.array(placeSchema).optional(),
});
export type ApplyChangeSetCall = z.infer<typeof applyChangeSetSchema>;

const changeSetStateSchema = z.enum(["draft", "applying", "applied", "cancelled", "reverted"]);
export type ChangeSetState = z.infer<typeof changeSetStateSchema>;

/** The outcomes of the ops; those that are not done yet are the rest of `total`. */
const progressSchema = z.object({
  total: z.int(),
  applied: z.int(),
  conflicts: z.int(),
  refused: z.int(),
  skipped: z.int(),
  /** The record held the values already. */
  unchanged: z.int(),
});
/** The rows of a set's file; while `isComplete` is false it still arrives, or broke off. */
const importCountsSchema = z.object({
  table: z.string(),
  isComplete: z.boolean(),
  rows: z.int(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  superseded: z.int(),
  failed: z.int(),
});
export type ImportCounts = z.infer<typeof importCountsSchema>;

/** Counts and progress are those of the ops that the reader may see. */
const changeSetSchema = z
  .object({
    id: z.string(),
    /** Null where nobody gave one: clients word it, in their language, from `origin`, `table` and `revertedTitle`. */
    title: z.string().nullable(),
    /** Of a set that was made from a file: its table, where the reader may read that. */
    table: z.string().nullable(),
    state: changeSetStateSchema,
    origin: originSchema,
    by: authorSchema,
    /** Whether the reader may change and apply it: its author, or for a set of an API token the token's creator. */
    isOwn: z.boolean(),
    /**
     * A revert that the reader made while they had other rights: it may hold what they can't read now, so nothing of it is
     * shown, and it can only be stopped or deleted.
     */
    isOutdated: z.boolean(),
    version: z.int(),
    created: z.string(),
    updated: z.string(),
    applied: z.string().nullable(),
    /** The set whose changes this one reverts. */
    reverts: z.string().nullable(),
    /** The title of that set, where it has one. */
    revertedTitle: z.string().nullable(),
    counts: z.object({ create: z.int(), update: z.int(), delete: z.int() }),
    progress: progressSchema,
    /** Of a set that was made from a file, for its author. */
    import: importCountsSchema.nullable(),
  })
  .meta({ id: "ChangeSet" });
export type ChangeSetInfo = z.infer<typeof changeSetSchema>;

const previewStatusSchema = z.enum(["create", "update", "delete", "unchanged", "error"]);
export type PreviewStatus = z.infer<typeof previewStatusSchema>;

/** The outcome of an op that was tried, was left out, or had nothing to change. */
export const opOutcomeSchema = z.enum(["applied", "conflict", "refused", "skipped", "unchanged"]);
export type OpOutcome = z.infer<typeof opOutcomeSchema>;

/** One op: what it makes of its record, in the cells that change. */
export const previewItemSchema = z.object({
  index: z.int(),
  op: z.enum(["create", "update", "delete", "restore", "transition"]),
  table: z.string(),
  record: z.string(),
  status: previewStatusSchema,
  before: valuesSchema.nullable(),
  after: valuesSchema.nullable(),
  errors: z.array(errorBodySchema),
  /** Fields of a logged change whose values were erased for good. */
  erased: z.array(z.string()).optional(),
  /** Absent as long as the op was not tried. */
  outcome: opOutcomeSchema.optional(),
});
export type PreviewItem = z.infer<typeof previewItemSchema>;

const previewSchema = z.object({
  counts: z.object({
    create: z.int(),
    update: z.int(),
    delete: z.int(),
    unchanged: z.int(),
    error: z.int(),
  }),
  items: z.array(previewItemSchema),
  /** The ops that match the requested status, of which `items` is a page. */
  total: z.int(),
  /**
   * Whether all ops were evaluated for this answer. Those of a draft of more than CHANGE_SET_MAX_OPS were evaluated when its file was
   * read; it is applied with `atomic: false`.
   */
  isEvaluated: z.boolean(),
  /** The version of the set that it shows, or an earlier one. */
  version: z.int(),
});
export type ChangeSetPreview = z.infer<typeof previewSchema>;

/** Conflicts and refusals by the index of their op; of very many the first. */
const applyAnswerSchema = z.object({
  state: changeSetStateSchema,
  applied: z.int(),
  conflicts: z.array(z.object({ index: z.int(), fields: z.record(z.string(), jsonSchema) })),
  refused: z.array(z.object({ index: z.int(), error: errorBodySchema })),
  progress: progressSchema,
});
export type ApplyAnswer = z.infer<typeof applyAnswerSchema>;

/** Many changes as one thing. Its author changes and applies a set; others see what it has applied, within their scopes. */
export const changeSetRoutes = defineRoutes(() => ({
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
      offset: offsetParam.optional(),
    }),
    answer: listOf(rejectedRowSchema).extend({
      header: z.array(z.string()).describe("The names of the file's columns."),
      fields: z
        .array(z.string().nullable())
        .optional()
        .describe(
          "The field of each column, `id`, or null. Absent where the rows can't be corrected.",
        ),
    }),
    errors: ["query_timeout"],
  },
  "PATCH /change-sets/{id}/rejects": {
    tokens: true,
    summary:
      "Correct a cell of one rejected row of a draft, or of all that have the same text there. Rows that are right then become changes of the draft.",
    right: "session",
    params: byId,
    body: rowCorrectionSchema.meta({
      examples: [{ field: "priority", text: "Very high", value: "Critical" }],
    }),
    answer: correctedRowsSchema,
    errors: ["conflict", "validation_failed", "too_large", "query_timeout"],
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
}));
