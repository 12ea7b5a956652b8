import { useAtomValue } from "jotai/react";
import {
  type ConnectionState,
  connectionAtom,
  type EditCounts,
  editCountsAtom,
} from "./connection-state.ts";
import { store } from "./store.ts";

/** Where this page stands with the server. */
export function useConnection(): ConnectionState {
  return useAtomValue(connectionAtom, { store });
}

/** How many of my edits wait for the server, and how many for me. */
export function useEditCounts(): EditCounts {
  return useAtomValue(editCountsAtom, { store });
}
