import { z } from "zod";
import { zoneSchema } from "../model/wallboard/tile-parts.ts";
import { frameSchema } from "./frame.ts";

export const wallboardIdSchema = z.string().min(1).max(120);

/**
 * Client → server: show me this board, and keep it true. `home` is the dashboard. `draft` shows what
 * is not published yet (right `wallboards`). Asking again answers anew and changes nothing else.
 */
export const tilesSchema = z.strictObject({
  wallboard: wallboardIdSchema,
  draft: z.boolean().optional(),
  /** Of `home`: where the reader's days begin; UTC unless told. A board has a zone of its own. */
  zone: zoneSchema.optional(),
});
export type TilesCall = z.infer<typeof tilesSchema>;

/** The frame, always with its `board`; `frame` and `proven` messages follow. */
export const tilesAnswerSchema = z.object({ frame: frameSchema });
export type TilesAnswer = z.infer<typeof tilesAnswerSchema>;

/** Client → server: no more frames of this board. */
export const leaveTilesSchema = tilesSchema;
export type LeaveTilesCall = z.infer<typeof leaveTilesSchema>;
