import { useEffect, useRef, useState } from "react";
import type { CommentUser } from "../../../../../shared/protocol/comments.ts";
import { commentMessages as messages } from "../../../messages/en/comments.ts";
import { store } from "../../../state/store.ts";
import { unsavedTextsAtom } from "../../../state/unsaved-texts.ts";
import { listUsers } from "../../../sync/calls/users.ts";
import { pageCore } from "../../../sync/page/page-core.ts";
import { COMMENT_PLACE } from "../../../ui/comments/comment-place.ts";

export interface Thread {
  table: string;
  record: string;
}

type Named = Pick<CommentUser, "id" | "name">;

/** The text in an input for comments. */
export interface Draft {
  text: string;
  /** The users whose names in the text are mentions. */
  users: Named[];
  /** Resolves when it is known which names in a restored text are mentions. */
  mentionsRestored(): Promise<void>;
  write(text: string): void;
  /** The text was sent, or its author discarded it. What was typed since it was sent stays. */
  clear(sent?: string): void;
}

interface Options {
  thread: Thread;
  /** What the text is called in the list of unsaved texts. */
  label: string;
  /** The text of a comment that is edited, and the users mentioned in it. */
  initial?: string;
  mentioned?: readonly Named[];
}

/**
 * A text that outlives its input: closing the panel or the page stores it in this browser, and the next input for a new
 * comment on the record takes it over.
 */
export function useDraft({ thread, label, initial, mentioned = [] }: Options): Draft {
  const place = { ...thread, field: COMMENT_PLACE };
  const [stored] = useState(() => (initial === undefined ? storedTextOf(thread) : undefined));
  const [text, setText] = useState(initial ?? stored?.text ?? "");
  const [users] = useState<Named[]>([...mentioned]);
  const latest = useRef({ text, initial, place, label, stored });
  const mentions = useRef(Promise.resolve());
  useEffect(() => {
    const restored = latest.current.stored?.text ?? "";
    if (!restored.includes("@")) return;
    // The names in a restored text are mentions again.
    mentions.current = listUsers().then(
      (all) => void users.push(...all.filter(({ name }) => restored.includes(`@${name}`))),
      () => undefined,
    );
  }, [users]);
  useEffect(() => () => storeRest(latest.current), []);
  const write = (next: string) => {
    setText(next);
    latest.current.text = next;
    pageCore().texts.setTyping(place, next, label, latest.current.stored?.id);
  };
  const clear = (sent?: string) => {
    if (sent !== undefined && sent !== latest.current.text.trim()) return;
    setText("");
    latest.current.text = "";
    pageCore().texts.clearTyping(place);
    discard(latest.current.stored);
    latest.current.stored = undefined;
  };
  return { text, users, mentionsRestored: () => mentions.current, write, clear };
}

interface Rest {
  text: string;
  initial: string | undefined;
  place: Thread & { field: string };
  label: string;
  stored: { id: string; text: string } | undefined;
}

/** Stores what was typed and not sent, in place of the text that the input began with. */
function storeRest({ text, initial, place, label, stored }: Rest): void {
  const { texts } = pageCore();
  texts.clearTyping(place);
  if (text === stored?.text || text === initial) return;
  discard(stored);
  texts.add({ ...place, text, label, reason: messages.notSent() });
}

function discard(stored: Rest["stored"]): void {
  if (stored) pageCore().texts.discard(stored.id);
}

function storedTextOf({ table, record }: Thread) {
  return store
    .get(unsavedTextsAtom)
    .find((one) => one.table === table && one.record === record && one.field === COMMENT_PLACE);
}
