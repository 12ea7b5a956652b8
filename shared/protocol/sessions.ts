import { z } from "zod";

/** A session as its own person, or who manages people, sees it. The token is told to nobody. */
export const sessionEntrySchema = z.object({
  /** A name for ending it; no key to anything. */
  id: z.string(),
  createdAt: z.string(),
  lastSeen: z.string(),
  /** When it ends by itself, idle or by age. */
  expires: z.string(),
  ip: z.string(),
  userAgent: z.string(),
  /** Whether it is the one that asks. */
  current: z.boolean(),
});
export type SessionEntry = z.infer<typeof sessionEntrySchema>;

/** How many sessions were ended. */
export const endedSessionsSchema = z.object({ ended: z.number() });
export type EndedSessions = z.infer<typeof endedSessionsSchema>;
