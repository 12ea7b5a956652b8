import { createContext, useContext } from "react";

/** A record that the panel can show. */
export interface RecordPlace {
  table: string;
  record: string;
}

const OpenLinked = createContext<(place: RecordPlace) => void>(() => undefined);

export const OpenLinkedProvider = OpenLinked.Provider;

/** Opens another record on top of the one in the panel. */
export function useOpenLinked(): (place: RecordPlace) => void {
  return useContext(OpenLinked);
}
