import { atom } from "jotai/vanilla";
import type { AtomStore } from "./atom-store.ts";

/**
 * The connection to the server:
 * connecting → live → reconnecting → catchingUp → live; → offline; → blocked; → signedOut; → updateRequired.
 * `blocked`: the server answers requests, but something on the way does not let live connections pass.
 * `live` means that every open table follows its feed; edits are sent only then.
 */
export type ConnectionKind =
  | "connecting"
  | "live"
  | "reconnecting"
  | "catchingUp"
  | "offline"
  | "blocked"
  | "signedOut"
  | "updateRequired";

export interface ConnectionState {
  kind: ConnectionKind;
  /** Local time in milliseconds at which this kind began. */
  since: number;
  /** The server's bus or database is unavailable: updates are slower. */
  degraded: boolean;
  /** It is degraded because of the database: no edit is accepted until it can be used again. */
  withoutStore: boolean;
  /** Local time in milliseconds of the next attempt, while there is none. */
  retryAt: number | null;
}

export const connectionAtom = atom<ConnectionState>({
  kind: "connecting",
  since: 0,
  degraded: false,
  withoutStore: false,
  retryAt: null,
});

/**
 * Calls back when the connection is live again, and when it is for the first time after an attempt that failed: model or rights may have
 * changed since they were read, when no message could say so. (What is published in the moment between their reading and a first connection that
 * opens by its first attempt is heard of with the next such message.) Returns a function that stops.
 */
export function onReturn(store: AtomStore, callback: () => void): () => void {
  let isAway = false;
  return store.sub(connectionAtom, () => {
    const { kind, retryAt } = store.get(connectionAtom);
    if (kind !== "live") isAway ||= kind !== "connecting" || retryAt !== null;
    else if (isAway) {
      isAway = false;
      callback();
    }
  });
}

/** Numbers of edits that the server has not answered, and of those that need the user's decision. */
export interface EditCounts {
  waiting: number;
  conflicts: number;
  rejected: number;
}

export const editCountsAtom = atom<EditCounts>({ waiting: 0, conflicts: 0, rejected: 0 });

/** Whether this browser stores edits and typed texts: otherwise they are lost with the page until they are saved. */
export const editsStoredAtom = atom<boolean>(true);

/** Server clock minus local clock, in milliseconds: ages are computed by the server's clock. */
export const clockOffsetAtom = atom<number>(0);

/** Counts notifications that model or rights may have changed. A new count means to read both again. */
export const modelUpdatesAtom = atom<number>(0);

/** The newest model version that the server has announced; 0 before the first. */
export const modelVersionAtom = atom<number>(0);
