import { createContext, useContext } from "react";
import type { Field } from "../../../../shared/model/model.ts";

/** A record or user that a link may point to. */
interface Suggestion {
  id: string;
  label: string;
  /** What the record is read by, where its label is a number. */
  title?: string | undefined;
  /** The user's colour, if the target is a user. */
  colour?: string | undefined;
}

/** What inputs and marks need to know about the targets of link and user fields. */
export interface LookUp {
  /** A target, if it is loaded; requests it otherwise. */
  get(field: Field, id: string): Suggestion | undefined;
  /** Its label alone. */
  labelOf(field: Field, id: string): string | undefined;
  /** The targets whose label contains the text, best match first. */
  search(field: Field, text: string): Promise<Suggestion[]>;
  /** Those of them that were loaded before, for as long as the server can't be reached. */
  loaded?(field: Field, text: string): Suggestion[];
  /** The targets that have the text as label, or else those whose label begins with it. */
  named(field: Field, text: string): Promise<Suggestion[]>;
  /** Whether the user can create a target that needs no more than this label. */
  isCreatable?(field: Field, label: string): boolean;
  /** Creates such a target by an edit of its own. */
  create?(field: Field, label: string): Suggestion;
  /** Calls back when requested targets have arrived. */
  onArrived(callback: () => void): () => void;
}

/** Where the components below look targets up: in the page, or in a draft of the model. */
export const LookUpContext = createContext<LookUp | null>(null);

/** Looks up the targets of link and user fields. */
export function useLookUp(): LookUp {
  const lookUp = useContext(LookUpContext);
  if (!lookUp) throw new Error("There is no LookUpContext around this component.");
  return lookUp;
}
