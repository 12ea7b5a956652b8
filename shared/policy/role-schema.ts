import { z } from "zod";
import { filterSchema } from "../filter/filter.ts";
import { toNfc } from "../filter/to-nfc.ts";
import { administrativeRights } from "./role.ts";

/** The schema of a role, strict: a misspelt right is refused, not silently ignored. */

const NAMES_MAX = 1_000;
const GRANTS_MAX = 1_000;

const nameSchema = z.string().min(1).max(120);
const names = z.array(nameSchema).max(NAMES_MAX);
const rows = { filter: filterSchema.exactOptional() };

export const grantSchema = z
  .strictObject({
    read: z
      .union([z.boolean(), z.strictObject({ ...rows, hide: names.exactOptional() })])
      .exactOptional(),
    create: z.boolean().exactOptional(),
    /** Also in other than initial states: an import of history needs it. */
    createInAnyState: z.boolean().exactOptional(),
    update: z
      .union([z.boolean(), z.strictObject({ ...rows, fields: names.exactOptional() })])
      .exactOptional(),
    delete: z.union([z.boolean(), z.strictObject(rows)]).exactOptional(),
    transitions: z.union([z.boolean(), names]).exactOptional(),
    export: z.boolean().exactOptional(),
    history: z.boolean().exactOptional(),
    comment: z.boolean().exactOptional(),
  })
  .meta({ id: "Grant" });

export const rightsSchema = z.array(z.enum(administrativeRights)).max(administrativeRights.length);

export const grantsSchema = z
  .record(nameSchema, grantSchema)
  .refine((grants) => Object.keys(grants).length <= GRANTS_MAX, {
    error: "grants on too many tables",
  });

export const roleNameSchema = z.string().trim().overwrite(toNfc).min(1).max(120);

/** All of a role except its id. */
export const roleSchema = z.strictObject({
  name: roleNameSchema,
  rights: rightsSchema,
  grants: grantsSchema,
});
