import { atom, type PrimitiveAtom } from "jotai/vanilla";
import type { ViewInfo } from "../../../shared/protocol/views.ts";

const views = new Map<string, PrimitiveAtom<readonly ViewInfo[] | null>>();

/** The views of a table that the user may read, while the page follows them; null until they are loaded. */
export function viewsAtom(table: string): PrimitiveAtom<readonly ViewInfo[] | null> {
  const known = views.get(table);
  if (known) return known;
  const made = atom<readonly ViewInfo[] | null>(null);
  views.set(table, made);
  return made;
}
