import { z } from "zod";
import { filterSchema } from "../filter/filter.ts";
import { wordingShape } from "../filter/wording.ts";
import { rightsSchema } from "./role-schema.ts";

/** The records to which a right is limited: `when` is the filter in English, with its key and values beside. */
const onlySchema = z.object({ filter: filterSchema, when: z.string(), ...wordingShape });

export const tableAbilitiesSchema = z.object({
  read: z.boolean(),
  /** Whether row rights hide records from the user: a total that is not exact is then a lower bound. */
  hidesRows: z.literal(true).exactOptional(),
  create: z.boolean(),
  /** The fields of a new record that must have a certain value for its user to read it. Absent also if one is hidden: then only the server knows. */
  createOnly: onlySchema.exactOptional(),
  /** The fields that may be written, as far as the role alone decides. */
  update: z.array(z.string()),
  /** If not all may be updated. Absent also if it names a hidden field: then only the server knows. */
  updateOnly: onlySchema.exactOptional(),
  delete: z.boolean(),
  /** If not all may be deleted. */
  deleteOnly: onlySchema.exactOptional(),
  /** Every transition, or the named ones, as far as the role alone decides. */
  transitions: z.union([z.boolean(), z.array(z.string())]),
  history: z.boolean(),
  export: z.boolean(),
  comment: z.boolean(),
  /** Whether the user may have personal views. */
  views: z.boolean(),
  /** Whether the user may acknowledge alerts of its tiles. */
  acknowledge: z.boolean(),
  /** Hidden fields are absent from `fields`. */
  fields: z.array(z.string()),
});

export const abilitiesSchema = z.object({
  rights: rightsSchema,
  tables: z.record(z.string(), tableAbilitiesSchema),
});
