import { z } from "zod";

/** A session as its own user, or a user who manages users, sees it. The token is never returned. */
export const sessionEntrySchema = z.object({
  /** An id for ending it; not a credential. */
  id: z.string(),
  createdAt: z.string(),
  lastSeen: z.string(),
  /** When it expires, by idle time or by age. */
  expires: z.string(),
  ip: z.string(),
  userAgent: z.string(),
  /** Whether it is the current one. */
  current: z.boolean(),
});
export type SessionEntry = z.infer<typeof sessionEntrySchema>;

/** How many sessions were ended. */
export const endedSessionsSchema = z.object({ ended: z.number() });
