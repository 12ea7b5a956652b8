import type { WallboardDocument } from "../../../shared/model/wallboard/wallboard.ts";

/**
 * A template's wallboard, under an id that links and the demo can name. The set-up chooses where its days
 * begin.
 */
export interface TemplateWallboard {
  id: string;
  document: Omit<WallboardDocument, "zone">;
}
