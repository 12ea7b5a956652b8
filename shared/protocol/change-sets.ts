import { z } from "zod";
import { filterSchema } from "../filter/filter.ts";
import { jsonSchema } from "../filter/json-schema.ts";
import { zoneSchema } from "../model/wallboard/tile-parts.ts";
import { errorBodySchema, opSchema } from "./mutate.ts";
import { clientOriginSchema, originSchema } from "./origin.ts";
import { authorSchema, nameSchema, recordIdSchema, valuesSchema } from "./record.ts";

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
    /** The zone in which `$today` begins; UTC by default. */
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
export const createChangeSetSchema = z.union([
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
export const patchChangeSetSchema = z.strictObject({
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
export const applyChangeSetSchema = z.strictObject({
  version: z.int().min(0).optional(),
  atomic: z.boolean().optional(),
  skip: z.array(placeSchema).optional(),
});
export type ApplyChangeSetCall = z.infer<typeof applyChangeSetSchema>;

export const changeSetStateSchema = z.enum([
  "draft",
  "applying",
  "applied",
  "cancelled",
  "reverted",
]);
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
export const changeSetSchema = z
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

export const previewStatusSchema = z.enum(["create", "update", "delete", "unchanged", "error"]);
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

export const previewSchema = z.object({
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
  /** The version of the set that it shows, or an earlier one. */
  version: z.int(),
});
export type ChangeSetPreview = z.infer<typeof previewSchema>;

/** Conflicts and refusals by the index of their op; of very many the first. */
export const applyAnswerSchema = z.object({
  state: changeSetStateSchema,
  applied: z.int(),
  conflicts: z.array(z.object({ index: z.int(), fields: z.record(z.string(), jsonSchema) })),
  refused: z.array(z.object({ index: z.int(), error: errorBodySchema })),
  progress: progressSchema,
});
export type ApplyAnswer = z.infer<typeof applyAnswerSchema>;
