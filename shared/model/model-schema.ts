import { z } from "zod";
import { filterSchema } from "../filter/filter.ts";
import { jsonSchema } from "../filter/json-schema.ts";
import { EXPRESSION_MAX_LENGTH } from "./expression/expression.ts";
import { fieldTypeNames } from "./field-types.ts";
import { zoneSchema } from "./wallboard/tile-parts.ts";
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

export const optionSchema = z.strictObject({
  value: z.string().min(1).max(SENTENCE_MAX_LENGTH),
  label: sentence.exactOptional(),
  /** Removed options that this one replaces: records that held them hold it now. */
  formerly: z.array(z.string().min(1).max(SENTENCE_MAX_LENGTH)).max(LIST_MAX).exactOptional(),
  /** A colour name of the interface's palette, never the only signal. */
  colour: name.exactOptional(),
  /** For a state field: whether a record in this state counts as open. */
  open: z.boolean().exactOptional(),
});

export const derivationSchema = z.strictObject({
  fields: names,
  /** Keyed by the values of `fields`, joined with "|". */
  values: z.record(z.string(), jsonSchema),
});

const automaticSchema = z.strictObject({
  prefix: z.string().max(20),
  digits: z.int().min(1).max(18),
  start: z.int().min(0),
});

export const fieldSchema = z.strictObject({
  /** The identity, independent of the name: assigned at creation and never changed. */
  id: name.exactOptional(),
  /** The column, chosen at creation and never changed: the change log refers to columns. */
  column: name.exactOptional(),
  /** The key of its values in the change log, if that is not the column (`logKeyOf`). */
  logKey: name.exactOptional(),
  /** Former names: an edit that was written under one of them is still applied. */
  formerly: names.exactOptional(),
  name,
  label: z.string().min(1).max(SENTENCE_MAX_LENGTH),
  type: z.enum(fieldTypeNames),
  help: sentence.exactOptional(),
  required: z.boolean().exactOptional(),
  unique: z.boolean().exactOptional(),
  immutable: z.boolean().exactOptional(),
  /** Indexed, so that views over a large table may filter and sort by it cheaply. */
  indexed: z.boolean().exactOptional(),
  default: jsonSchema.exactOptional(),
  /** Numbered by the database if absent: prefix and digits, e.g. INC0100001. */
  automatic: automaticSchema.exactOptional(),
  derive: derivationSchema.exactOptional(),
  /**
   * The expression that computes the field: `quantity * price`. The field has a type of its own, so it is
   * shown, filtered and sorted like any other (shared/model/expression).
   */
  expression: z.string().min(1).max(EXPRESSION_MAX_LENGTH).exactOptional(),
  /** What the database records in the field by itself (shared/model/recorded.ts). */
  recorded: z.enum(["createdAt", "createdBy", "updatedAt", "updatedBy"]).exactOptional(),
  options: z.array(optionSchema).max(OPTIONS_MAX).exactOptional(),
  /** Digits after the point of a decimal, money or percent field. */
  scale: z.int().min(0).max(SCALE_MAX_DIGITS).exactOptional(),
  /** Whole numbers such as years and keys are shown without signs that group their digits. */
  ungrouped: z.boolean().exactOptional(),
  currency: z.string().length(3).exactOptional(),
  /** The table a link field points to. */
  target: name.exactOptional(),
  /** What happens to this link when its target is deleted; the deletion is refused by default. */
  onDelete: z.enum(["refuse", "unlink"]).exactOptional(),
  minimum: z.number().exactOptional(),
  maximum: z.number().exactOptional(),
  /** A pattern for the whole text, which runs in linear time. */
  pattern: z.string().min(1).max(SENTENCE_MAX_LENGTH).exactOptional(),
  /** The sentence shown if a text does not match the pattern. */
  patternHint: sentence.exactOptional(),
  /** Initial width of the column in pixels. */
  width: z.number().min(20).max(2_000).exactOptional(),
});

export const ruleSchema = z.strictObject({
  filter: filterSchema,
  /** A sentence for users: "Resolved must not be before opened." */
  message: z.string().min(1).max(SENTENCE_MAX_LENGTH),
});

export const tableSchema = z.strictObject({
  /** The identity, independent of the name: assigned at creation and never changed. */
  id: name.exactOptional(),
  /** Former names. */
  formerly: names.exactOptional(),
  name,
  label: z.string().min(1).max(SENTENCE_MAX_LENGTH),
  help: sentence.exactOptional(),
  /** The name of one record, lower case: "incident". */
  recordLabel: z.string().min(1).max(SENTENCE_MAX_LENGTH),
  /** The field that names a record in links and headings. */
  display: name,
  fields: z.array(fieldSchema),
  /** The field from which a record takes its id if the client gives none: a group's id is its name. */
  idFrom: name.exactOptional(),
  /** The state field, if the table has one. */
  stateField: name.exactOptional(),
  /** How the state may change; without it the state is an ordinary field. */
  workflow: workflowSchema.exactOptional(),
  /** Columns shown first, in order; the others are hidden by default. */
  columns: names,
  /** Default order, `-` for descending. */
  sort: names,
  rules: z.array(ruleSchema).max(LIST_MAX).exactOptional(),
});

export const modelSchema = z
  .strictObject({
    version: z.int().min(0),
    /** Where days begin, for everybody who has not chosen otherwise; UTC if absent. A document without it leaves it as it is. */
    zone: zoneSchema.exactOptional(),
    tables: z.array(tableSchema),
  })
  .meta({ id: "Model" });

/** A model as a user may see it: for a table without a visible field the display field is "". */
export const visibleModelSchema = modelSchema.extend({
  tables: z.array(tableSchema.extend({ display: z.string().max(NAME_MAX_LENGTH) })),
});
