import type { WallboardDocument } from "../../../shared/model/wallboard/wallboard.ts";

/**
 * A wallboard that a template ships, under an id that links and the demo can name. Where its days begin is
 * for whoever sets up to say.
 */
export interface TemplateBoard {
  id: string;
  document: Omit<WallboardDocument, "zone">;
}
