import { useEffect, useState } from "react";
import { toStored } from "../../../ui/comments/mention-text.ts";
import { problemText } from "../../../ui/problem-text.ts";
import type { Draft } from "./use-draft.ts";

/** A text that is being sent, and the input that shows it: another one where the panel was closed and opened again. */
interface Sending {
  draft: Draft;
  /** The text that is to be sent, up to now: more may be typed before it is its turn. */
  asked: string;
  onSent: (() => void) | undefined;
  onEnd(problem: string | null): void;
}

/** By the place of the draft. */
const sendings = new Map<string, Sending>();

interface Hooks {
  /** Sends a text as it is stored. */
  onSend(text: string): Promise<void>;
  /** All that was typed is sent. */
  onSent?: (() => void) | undefined;
}

/**
 * Sends the draft, once at a time. What is typed meanwhile stays, and is sent next if that was asked for. After a
 * failure the text stays in the input.
 */
export function useSend(draft: Draft, { onSend, onSent }: Hooks) {
  const { id } = draft;
  const [busy, setBusy] = useState(() => sendings.has(id));
  const [problem, setProblem] = useState<string | null>(null);
  const onEnd = (next: string | null) => {
    setProblem(next);
    setBusy(false);
  };
  useEffect(() => {
    const sending = sendings.get(id);
    if (sending) Object.assign(sending, { draft, onSent, onEnd });
    else setBusy(false);
  });
  const send = async () => {
    const asked = draft.current().trim();
    const running = sendings.get(id);
    if (running) running.asked = asked;
    if (asked === "" || running) return;
    const sending: Sending = { draft, asked, onSent, onEnd };
    sendings.set(id, sending);
    setBusy(true);
    setProblem(null);
    const failure = await sendAsked(sending, onSend).then(() => null, problemText);
    sendings.delete(id);
    sending.onEnd(failure);
  };
  return { send, busy, problem };
}

async function sendAsked(sending: Sending, onSend: Hooks["onSend"]): Promise<void> {
  while (sending.asked !== "") {
    const { asked: text, draft: sent } = sending;
    await sent.mentionsRestored();
    await onSend(toStored(text, sent.users));
    const { draft } = sending;
    sending.asked = draft.restAfter(sending.asked, text);
    if (draft.clear(text) !== "") continue;
    sending.onSent?.();
    return;
  }
}
