import type { ConnectionKind } from "../../state/connection-state.ts";

export interface ConnectionFacts {
  phase: ConnectionKind;
  /** The server says that its bus or store is away: screens move, but slower. */
  degraded: boolean;
  /** Edits made here that the server has not acknowledged. */
  waiting: number;
  /** Whether this browser stores edits before they are sent. */
  stored: boolean;
}

/** `good` is quiet, `busy` is passing by itself, `bad` wants to be noticed. */
export interface ConnectionView {
  label: string;
  tone: "good" | "busy" | "warn" | "bad";
  detail: string;
}

/** What the shell says about the connection: always a word, a sentence on asking. */
export function connectionView({
  phase,
  degraded,
  waiting,
  stored,
}: ConnectionFacts): ConnectionView {
  switch (phase) {
    case "connecting":
      return { label: "Connecting…", tone: "busy", detail: "Opening the live connection." };
    case "live":
      if (!stored) {
        return {
          label: "Edits not stored",
          tone: "warn",
          detail:
            "This browser does not store your edits. They are sent at once; keep this page open while the connection is down.",
        };
      }
      if (degraded) {
        return {
          label: "Degraded",
          tone: "warn",
          detail: "Part of the server is away. Screens keep moving, but slower. Nothing is lost.",
        };
      }
      return { label: "Live", tone: "good", detail: "Every change shows here as it is made." };
    case "reconnecting":
      return {
        label: "Reconnecting…",
        tone: "busy",
        detail: `The connection was cut; trying again. ${pendingEditsNote(waiting)}`,
      };
    case "catchingUp":
      return {
        label: "Catching up…",
        tone: "busy",
        detail: "Connected again; fetching what changed meanwhile.",
      };
    case "offline":
      return {
        label: waiting > 0 ? `Offline, ${editCountLabel(waiting)} waiting` : "Offline",
        tone: "bad",
        detail: `What you see may be old. ${pendingEditsNote(waiting)}`,
      };
    case "signedOut":
      return { label: "Signed out", tone: "bad", detail: "Sign in again to go on." };
    case "updateRequired":
      return {
        label: "Update required",
        tone: "bad",
        detail: "The server was upgraded. Reload this page to go on; waiting edits are kept.",
      };
  }
}

/** "1 edit", "3 edits". */
export function editCountLabel(count: number): string {
  return count === 1 ? "1 edit" : `${count} edits`;
}

function pendingEditsNote(waiting: number): string {
  return waiting > 0
    ? `${editCountLabel(waiting)} of yours ${waiting === 1 ? "is" : "are"} kept in this browser and will be sent.`
    : "What you edit is kept in this browser and will be sent.";
}
