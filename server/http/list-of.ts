import { z } from "zod";

/** How every list answers. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), total: z.int() });
}
