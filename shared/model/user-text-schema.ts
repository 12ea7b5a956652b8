import { z } from "zod";
import { isStorable, NOT_STORABLE } from "../filter/storable.ts";

export const NAME_MAX_LENGTH = 120;

/** The name of a table or a field, as somebody gives it; whether it is there is judged later. */
export const nameSchema = z.string().min(1).max(NAME_MAX_LENGTH);

/** A text that people read. */
export const userTextSchema = (max: number) =>
  z.string().normalize("NFC").max(max).refine(isStorable, NOT_STORABLE);
