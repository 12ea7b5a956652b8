import { z } from "zod";
import { filterSchema } from "../filter/filter.ts";
import { EXPRESSION_MAX_LENGTH } from "./expression/expression.ts";
import { type FieldType, kindOfType, type Model, type Table } from "./model.ts";
import { workflowSchema } from "./workflow.ts";

/**
 * The schema of the model document, strict: unknown properties are refused. `checkModel` validates the parts
 * together (links to existing tables, unique names).
 */

const NAME_MAX_LENGTH = 120;
const SENTENCE_MAX_LENGTH = 500;
const OPTIONS_MAX = 1_000;
const LIST_MAX = 1_000;
/** Digits that numeric(38, scale) can store after the point. */
const SCALE_MAX_DIGITS = 20;

const name = z.string().min(1).max(NAME_MAX_LENGTH);
const sentence = z.string().max(SENTENCE_MAX_LENGTH);
const names = z.array(name).max(LIST_MAX);
const types = Object.keys(kindOfType) as [FieldType, ...FieldType[]];

const optionSchema = z.strictObject({
  value: z.string().min(1).max(SENTENCE_MAX_LENGTH),
  label: sentence.exactOptional(),
  formerly: z.array(z.string().min(1).max(SENTENCE_MAX_LENGTH)).max(LIST_MAX).exactOptional(),
  colour: name.exactOptional(),
  open: z.boolean().exactOptional(),
});

const derivationSchema = z.strictObject({
  fields: names,
  values: z.record(z.string(), z.json()),
});

const automaticSchema = z.strictObject({
  prefix: z.string().max(20),
  digits: z.int().min(1).max(18),
  start: z.int().min(0),
});

const fieldSchema = z.strictObject({
  id: name.exactOptional(),
  column: name.exactOptional(),
  formerly: names.exactOptional(),
  name,
  label: z.string().min(1).max(SENTENCE_MAX_LENGTH),
  type: z.enum(types),
  help: sentence.exactOptional(),
  required: z.boolean().exactOptional(),
  unique: z.boolean().exactOptional(),
  immutable: z.boolean().exactOptional(),
  indexed: z.boolean().exactOptional(),
  default: z.json().exactOptional(),
  automatic: automaticSchema.exactOptional(),
  derive: derivationSchema.exactOptional(),
  expression: z.string().min(1).max(EXPRESSION_MAX_LENGTH).exactOptional(),
  recorded: z.enum(["createdAt", "createdBy", "updatedAt", "updatedBy"]).exactOptional(),
  options: z.array(optionSchema).max(OPTIONS_MAX).exactOptional(),
  scale: z.int().min(0).max(SCALE_MAX_DIGITS).exactOptional(),
  currency: z.string().length(3).exactOptional(),
  target: name.exactOptional(),
  onDelete: z.enum(["refuse", "unlink"]).exactOptional(),
  minimum: z.number().exactOptional(),
  maximum: z.number().exactOptional(),
  pattern: z.string().min(1).max(SENTENCE_MAX_LENGTH).exactOptional(),
  patternHint: sentence.exactOptional(),
  width: z.number().min(20).max(2_000).exactOptional(),
});

const ruleSchema = z.strictObject({
  filter: filterSchema,
  message: z.string().min(1).max(SENTENCE_MAX_LENGTH),
});

const tableSchema = z.strictObject({
  id: name.exactOptional(),
  formerly: names.exactOptional(),
  name,
  label: z.string().min(1).max(SENTENCE_MAX_LENGTH),
  help: sentence.exactOptional(),
  recordLabel: z.string().min(1).max(SENTENCE_MAX_LENGTH),
  display: name,
  fields: z.array(fieldSchema),
  idFrom: name.exactOptional(),
  stateField: name.exactOptional(),
  workflow: workflowSchema.exactOptional(),
  columns: names,
  sort: names,
  rules: z.array(ruleSchema).max(LIST_MAX).exactOptional(),
});

export const modelSchema = z
  .strictObject({
    version: z.int().min(0),
    tables: z.array(tableSchema),
  })
  .meta({ id: "Model" }) satisfies z.ZodType<Model>;

/** A model as a user may see it: for a table without a visible field the display field is "". */
export const visibleModelSchema = modelSchema.extend({
  tables: z.array(tableSchema.extend({ display: z.string().max(NAME_MAX_LENGTH) })),
}) satisfies z.ZodType<Model>;

/** Fails to compile if the types of model.ts differ from this schema. */
type Same<A, B> = [A, B] extends [B, A] ? true : never;
export const tableFitsItsSchema: Same<keyof Table, keyof z.output<typeof tableSchema>> = true;
