import type { ViewDocument } from "../../../shared/model/view/view.ts";

/** A view that a template ships, shared, under an id that links can name. */
export interface TemplateView extends Omit<ViewDocument, "shared"> {
  id: string;
  table: string;
}
