import { useAtomValue } from "jotai/react";
import {
  type ConnectionState,
  connectionAtom,
  type EditCounts,
  editCountsAtom,
  editsStoredAtom,
} from "./connection-state.ts";
import { store } from "./store.ts";

/** The state of the connection to the server. */
export function useConnection(): ConnectionState {
  return useAtomValue(connectionAtom, { store });
}

/** Whether this browser stores my edits. */
export function useEditsStored(): boolean {
  return useAtomValue(editsStoredAtom, { store });
}

/** How many of my edits wait for the server, and how many for me. */
export function useEditCounts(): EditCounts {
  return useAtomValue(editCountsAtom, { store });
}
