import { useEffect, useId, useRef, useState } from "react";
import type { CommentUser } from "../../../../../shared/protocol/comments.ts";
import { commentMessages as messages } from "../../../messages/en/comments.ts";
import { COMMENT_PLACE, editedCommentPlace } from "../../../records/comments/comment-place.ts";
import { store } from "../../../state/store.ts";
import { unsavedTextsAtom } from "../../../state/unsaved-texts.ts";
import { listUsers } from "../../../sync/calls/users.ts";
import { recordKey } from "../../../sync/edits/pending-op.ts";
import { pageCore } from "../../../sync/page/page-core.ts";

export interface Thread {
  table: string;
  record: string;
}

type Named = Pick<CommentUser, "id" | "name">;

/** The text in an input for comments. */
export interface Draft {
  /** The same for each input that shows this text. */
  id: string;
  text: string;
  /** The users whose names in the text are mentions. */
  users: Named[];
  /** Resolves when it is known which names in a restored text are mentions. */
  mentionsRestored(): Promise<void>;
  write(text: string): void;
  /** The text as typed up to now, also before it is rendered. */
  current(): string;
  /** The id of this text, also after a reload; null where nothing was typed. */
  textId(): string | null;
  /** The text was sent, or its author discarded it. Returns what was typed since it was sent, which stays. */
  clear(sent?: string): string;
  /** What of a text follows the one that was sent. */
  restAfter(text: string, sent: string): string;
}

/**
 * A text that outlives its input: closing the panel or the page stores it in this browser, and the next input for a new
 * comment on the record takes it over.
 */
export function useDraft({
  thread,
  label,
  edited,
}: {
  thread: Thread;
  /** What the text is called in the list of unsaved texts. */
  label: string;
  /** The comment that is edited: its id, its text as it is typed, and the users mentioned in it. */
  edited?: { id: string; text: string; mentions: readonly Named[] };
}): Draft {
  const initial = edited?.text;
  const field = edited ? editedCommentPlace(edited.id) : COMMENT_PLACE;
  const place = { ...thread, field };
  const own = useId();
  // What is sent of a comment that is edited concerns this input only.
  const id = initial === undefined ? recordKey(thread.table, thread.record) : own;
  const [stored] = useState(() => (initial === undefined ? storedTextOf(thread) : undefined));
  const [text, setText] = useState(initial ?? stored?.text ?? "");
  const [users] = useState<Named[]>([...(edited?.mentions ?? [])]);
  const latest = useRef<Rest>({ text, initial, place, label, stored, isOpen: true });
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
  useEffect(() => {
    const rest = latest.current;
    rest.isOpen = true;
    return () => {
      rest.isOpen = false;
      storeRest(rest);
    };
  }, []);
  const write = (next: string) => {
    setText(next);
    latest.current.text = next;
    pageCore().texts.setTyping(place, next, label, latest.current.stored?.id);
  };
  // A text that was changed otherwise stays whole, and so does the next text of a comment that is edited.
  const restAfter = (text: string, sent: string) => {
    const isMore = initial === undefined && text.startsWith(sent);
    return isMore || text === sent ? text.slice(sent.length).trimStart() : text;
  };
  const clear = (sent?: string) => {
    const rest = sent === undefined ? "" : restAfter(latest.current.text.trim(), sent);
    if (!latest.current.isOpen) {
      latest.current.text = rest;
      storeRest(latest.current);
    } else {
      pageCore().texts.clearTyping(place);
      discard(latest.current.stored);
      latest.current.stored = undefined;
      // What is left is another text, with an id of its own.
      if (rest !== "") write(rest);
      else {
        setText("");
        latest.current.text = "";
      }
    }
    return rest;
  };
  const current = () => latest.current.text;
  const textId = () => pageCore().texts.typingId(place) ?? latest.current.stored?.id ?? null;
  const mentionsRestored = () => mentions.current;
  return { id, text, users, mentionsRestored, write, current, textId, clear, restAfter };
}

interface Rest {
  text: string;
  initial: string | undefined;
  place: Thread & { field: string };
  label: string;
  stored: { id: string; text: string } | undefined;
  /** The input is on the screen: if not, its text is among the unsaved ones. */
  isOpen: boolean;
}

/** Stores what was typed and not sent, in place of the text that the input began with. */
function storeRest(rest: Rest): void {
  const { text, initial, place, label, stored } = rest;
  const { texts } = pageCore();
  texts.clearTyping(place);
  if (text === stored?.text || text === initial) return;
  discard(stored);
  const id = texts.add({ ...place, text, label, reason: messages.notSent() });
  rest.stored = id === null ? undefined : { id, text };
}

function discard(stored: Rest["stored"]): void {
  if (stored) pageCore().texts.discard(stored.id);
}

function storedTextOf({ table, record }: Thread) {
  return store
    .get(unsavedTextsAtom)
    .find((one) => one.table === table && one.record === record && one.field === COMMENT_PLACE);
}
