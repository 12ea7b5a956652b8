import { useEffect, useState } from "react";
import { toStored } from "../../../records/comments/mention-text.ts";
import { createAtom } from "../../../state/atom-store.ts";
import { store } from "../../../state/store.ts";
import { useAtom } from "../../../state/use-atom.ts";
import { newId } from "../../../sync/new-id.ts";
import { problemText } from "../../../ui/problem-text.ts";
import type { Draft } from "./use-draft.ts";

/** A text that is being sent, and the input that shows it: another one if the panel was closed and opened again. */
interface Sending {
  draft: Draft;
  /** The text that the user has asked to send so far. */
  asked: string;
  /** `id` is the same for each attempt to send a text, also after a reload. */
  onSend(text: string, id: string): Promise<void>;
  onSent?: (() => void) | undefined;
  onEnd(problem: string | null): void;
}

/** By the id of the draft. */
const sendingsAtom = createAtom<ReadonlyMap<string, Sending>>(new Map());

/**
 * Sends the draft by `onSend`, which gets the text as it is stored, once at a time; calls `onSent` when all is sent. Text
 * typed meanwhile stays, and is sent next if the user has asked for it. After a failure the text stays in the input.
 */
export function useSend(draft: Draft, { onSend, onSent }: Pick<Sending, "onSend" | "onSent">) {
  const { id } = draft;
  const shown = useAtom(sendingsAtom).get(id);
  const [problem, onEnd] = useState<string | null>(null);
  useEffect(() => {
    if (shown) Object.assign(shown, { draft, onSent, onEnd });
  });
  const send = async () => {
    const asked = draft.current().trim();
    const running = store.get(sendingsAtom).get(id);
    if (running) running.asked = asked;
    if (asked === "" || running) return;
    const sending: Sending = { draft, asked, onSend, onSent, onEnd };
    setSending(id, sending);
    onEnd(null);
    const failure = await sendAsked(sending).then(() => null, problemText);
    setSending(id, null);
    sending.onEnd(failure);
  };
  return { send, busy: shown !== undefined, problem };
}

function setSending(id: string, sending: Sending | null): void {
  const others = [...store.get(sendingsAtom)].filter(([other]) => other !== id);
  store.set(sendingsAtom, new Map(sending ? [...others, [id, sending]] : others));
}

async function sendAsked(sending: Sending): Promise<void> {
  while (sending.asked !== "") {
    const { asked: text, draft: sent } = sending;
    const id = sent.textId() ?? newId();
    await sent.mentionsRestored();
    await sending.onSend(toStored(text, sent.users), id);
    const { draft } = sending;
    sending.asked = draft.restAfter(sending.asked, text);
    if (draft.clear(text) !== "") continue;
    sending.onSent?.();
    return;
  }
}
