import { z } from "zod";
import type { ExplanationValue } from "../error-texts/explain.ts";
import { jsonSchema } from "./json-schema.ts";

/** The key and the values of a sentence that is sent in English beside them (E10). */
export const wordingShape = {
  messageKey: z.string().exactOptional(),
  messageValues: z
    .record(z.string(), jsonSchema as unknown as z.ZodType<ExplanationValue>)
    .exactOptional(),
};
