import { z } from "zod";
import { zoneSchema } from "../model/wallboard/tile-parts.ts";
import { frameSchema } from "./frame.ts";

export const wallboardIdSchema = z.string().min(1).max(120);

/**
 * Client → server: follow this wallboard. `home` is the dashboard. `draft` shows the draft (right `wallboards`).
 * Calling it again answers again and changes nothing else.
 */
export const tilesSchema = z.strictObject({
  wallboard: wallboardIdSchema,
  draft: z.boolean().optional(),
  /** Of `home`: the zone of the user's days; UTC by default. A wallboard has a zone of its own. */
  zone: zoneSchema.optional(),
});
export type TilesCall = z.infer<typeof tilesSchema>;

/** The frame, always with its `board`; `frame` and `proven` messages follow. */
export const tilesAnswerSchema = z.object({ frame: frameSchema });
export type TilesAnswer = z.infer<typeof tilesAnswerSchema>;

/** Client → server: stop following this wallboard. */
export const leaveTilesSchema = tilesSchema;
export type LeaveTilesCall = z.infer<typeof leaveTilesSchema>;
