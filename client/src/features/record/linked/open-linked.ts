import { createContext, useContext } from "react";
import type { RecordPlace } from "../../../records/record-trail.ts";

/** Opens a record; `among` is the list that it is in, to go on from there. */
type OpenRecord = (place: RecordPlace, among?: readonly RecordPlace[]) => void;

const OpenLinked = createContext<OpenRecord>(() => undefined);

export const OpenLinkedProvider = OpenLinked.Provider;

/** Opens another record on top of the one in the panel. */
export function useOpenLinked(): OpenRecord {
  return useContext(OpenLinked);
}
