import type { Field } from "../../../../shared/model/model.ts";

/** One record or person that a link may point to. */
interface Suggestion {
  id: string;
  label: string;
  /** A person's colour, where the target is a person. */
  colour?: string | undefined;
}

/** What inputs and marks need to know about the targets of link and person fields. */
export interface LookUp {
  /** A target, where it is known already; asks for it otherwise. */
  get(field: Field, id: string): Suggestion | undefined;
  /** Its label alone. */
  labelOf(field: Field, id: string): string | undefined;
  /** The targets whose label holds the text, best first. */
  search(field: Field, text: string): Promise<Suggestion[]>;
  /** Calls back when targets have arrived that were asked for. */
  onArrived(callback: () => void): () => void;
}
