import type { WallboardDocument } from "../../../shared/model/wallboard/wallboard.ts";

/** A wallboard that a template ships, under an id that links and the demo can name. */
export interface TemplateBoard {
  id: string;
  document: WallboardDocument;
}
