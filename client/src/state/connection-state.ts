import { atom } from "jotai/vanilla";

/**
 * Where this page stands with the server:
 * connecting → live → reconnecting → catchingUp → live; → offline; → signedOut; → updateRequired.
 * `live` means that every open table follows its feed; edits are sent only then.
 */
export type ConnectionKind =
  | "connecting"
  | "live"
  | "reconnecting"
  | "catchingUp"
  | "offline"
  | "signedOut"
  | "updateRequired";

export interface ConnectionState {
  kind: ConnectionKind;
  /** Local time in milliseconds at which this kind began. */
  since: number;
  /** The server says that its bus or store is away: screens move, but slower. */
  degraded: boolean;
  /** Local time in milliseconds of the next attempt, while there is none. */
  retryAt: number | null;
}

export const connectionAtom = atom<ConnectionState>({
  kind: "connecting",
  since: 0,
  degraded: false,
  retryAt: null,
});

/** Edits that the server has not answered yet; and those that wait for the person's decision. */
export interface EditCounts {
  waiting: number;
  conflicts: number;
  rejected: number;
}

export const editCountsAtom = atom<EditCounts>({ waiting: 0, conflicts: 0, rejected: 0 });

/** Whether this browser stores edits: otherwise they are lost with the page until the server has them. */
export const editsStoredAtom = atom<boolean>(true);

/** Server clock minus local clock, in milliseconds: ages are told by the server's clock. */
export const clockOffsetAtom = atom<number>(0);

/** How often the server said that model or rights may be other ones: a change means to read both anew. */
export const modelUpdatesAtom = atom<number>(0);

/** The newest model version that the server has spoken of; 0 before it has. */
export const modelVersionAtom = atom<number>(0);
