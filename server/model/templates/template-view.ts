import type { ViewDocument } from "../../../shared/model/view/view.ts";

/** A template's shared view, under an id that links can name. */
export interface TemplateView extends Omit<ViewDocument, "shared"> {
  id: string;
  table: string;
}
