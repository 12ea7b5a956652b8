import { atom } from "jotai/vanilla";

/** Where a text was typed. */
export interface TextPlace {
  table: string;
  record: string;
  field: string;
}

const WALLBOARD_FIELD = "#wallboard";

/** The place of what was not saved of a wallboard; no table or field has such a name. */
export function wallboardTextPlace(id: string): TextPlace {
  return { table: "", record: id, field: WALLBOARD_FIELD };
}

export function isWallboardTextPlace({ table, field }: TextPlace): boolean {
  return table === "" && field === WALLBOARD_FIELD;
}

/** A typed text that could not be saved. Stored until its author uses or discards it. */
export interface UnsavedText extends TextPlace {
  /** There may be several texts for one place. */
  id: string;
  text: string;
  /** Why it was not saved, in a sentence. */
  reason: string;
  /** What table and field were called: they may be gone. */
  label: string;
  /** What the record was called when its author typed, as it may be gone too; absent where it had no name, or is no longer visible. */
  name?: string | undefined;
  /** Local time in milliseconds. */
  at: number;
}

/** The texts of the signed-in user, newest first. */
export const unsavedTextsAtom = atom<readonly UnsavedText[]>([]);
