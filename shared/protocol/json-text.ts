import { z } from "zod";

/** A text of a query string that is JSON, parsed; its schema follows by `pipe`. */
export function jsonText(maxCharacters?: number) {
  const text = maxCharacters === undefined ? z.string() : z.string().max(maxCharacters);
  return text.transform((json, context) => {
    try {
      return JSON.parse(json) as unknown;
    } catch {
      context.addIssue({ code: "custom", message: "must be JSON" });
      return z.NEVER;
    }
  });
}
