import { z } from "zod";
import { isLegible, isStorable, NOT_STORABLE } from "../filter/storable.ts";
import { toNfc } from "../filter/to-nfc.ts";

export const personNameSchema = z
  .string()
  .trim()
  .overwrite(toNfc)
  .min(1)
  .max(120)
  .refine(isStorable, NOT_STORABLE)
  .refine(isLegible, "must be a name that can be read");
