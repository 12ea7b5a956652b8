import { z } from "zod";
import { isStorable, NOT_STORABLE } from "../filter/storable.ts";
import { toNfc } from "../filter/to-nfc.ts";

export const NAME_MAX_LENGTH = 120;

/** The name of a table or a field in a request; its existence is checked later. */
export const nameSchema = z.string().min(1).max(NAME_MAX_LENGTH);

/** A text for users. */
export const userTextSchema = (max: number) =>
  z.string().overwrite(toNfc).max(max).refine(isStorable, NOT_STORABLE);
