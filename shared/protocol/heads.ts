import { z } from "zod";

/**
 * Server → client, every few seconds: what was sent on this connection for each feed, and the server's clock.
 * A client at another position has a gap and subscribes again.
 */
export const headsSchema = z.object({
  tables: z.record(z.string(), z.object({ epoch: z.string(), seq: z.int() })),
  now: z.string(),
});
export type HeadsMessage = z.infer<typeof headsSchema>;
