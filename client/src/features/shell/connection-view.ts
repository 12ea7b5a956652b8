import { shellMessages as messages } from "../../messages/en/shell.ts";
import type { ConnectionKind } from "../../state/connection-state.ts";

export interface ConnectionFacts {
  phase: ConnectionKind;
  /** The server's bus or database is unavailable: updates are slower. */
  degraded: boolean;
  /** It is the database: edits wait. */
  withoutStore: boolean;
  /** Edits made here that the server has not acknowledged. */
  waiting: number;
  /** Whether this browser stores edits before they are sent. */
  stored: boolean;
}

/** `good` is inconspicuous, `busy` ends by itself, `warn` and `bad` stand out. */
interface ConnectionView {
  label: string;
  tone: "good" | "busy" | "warn" | "bad";
  detail: string;
}

/** The label of the connection status, and a sentence for its tooltip. */
export function connectionView({
  phase,
  degraded,
  withoutStore,
  waiting,
  stored,
}: ConnectionFacts): ConnectionView {
  switch (phase) {
    case "connecting":
      return { label: messages.connecting(), tone: "busy", detail: messages.connectingText() };
    case "live":
      if (!stored) {
        return {
          label: messages.notStored(),
          tone: "warn",
          detail: messages.notStoredText(),
        };
      }
      if (withoutStore) {
        return { label: messages.noStore(), tone: "warn", detail: messages.noStoreText() };
      }
      if (degraded) {
        return {
          label: messages.degraded(),
          tone: "warn",
          detail: messages.degradedText(),
        };
      }
      return { label: messages.live(), tone: "good", detail: messages.liveText() };
    case "reconnecting":
      return {
        label: messages.reconnecting(),
        tone: "busy",
        detail: messages.reconnectingText({ edits: pendingEditsNote(waiting, stored) }),
      };
    case "catchingUp":
      return {
        label: messages.catchingUp(),
        tone: "busy",
        detail: messages.catchingUpText(),
      };
    case "offline":
      return {
        label: waiting > 0 ? messages.offlineWaiting({ count: waiting }) : messages.offline(),
        tone: "bad",
        detail: messages.offlineText({ edits: pendingEditsNote(waiting, stored) }),
      };
    case "blocked":
      return {
        label: messages.blocked(),
        tone: "bad",
        detail: messages.offlineText({ edits: pendingEditsNote(waiting, stored) }),
      };
    case "signedOut":
      return { label: messages.signedOut(), tone: "bad", detail: messages.signedOutText() };
    case "updateRequired":
      return {
        label: messages.updateRequired(),
        tone: "bad",
        detail: messages.updateRequiredText(),
      };
  }
}

function pendingEditsNote(waiting: number, stored: boolean): string {
  if (!stored) return messages.unsentEditsNotStored({ count: waiting });
  return waiting > 0 ? messages.unsentEdits({ count: waiting }) : messages.editsWillBeSent();
}
