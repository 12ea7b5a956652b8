import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { CommentUser } from "../../../../../shared/protocol/comments.ts";
import { mentionBefore } from "../../../records/comments/mention-text.ts";
import { rest } from "../../../transport/rest/rest.ts";
import type { Draft, Thread } from "./use-draft.ts";

const SEARCH_DELAY_MS = 120;

interface Search {
  part: string;
  /** Null until the answer. */
  users: readonly CommentUser[] | null;
}

/** The list of users at an input for comments: it opens while a name after `@` is typed. */
export function useMentionable(
  thread: Thread,
  draft: Draft,
  area: () => HTMLTextAreaElement | null,
) {
  const [search, setSearch] = useState<Search | null>(null);
  const [active, setActive] = useState(0);
  const turn = useRef(0);
  useEffect(
    () => () => {
      turn.current = -1;
    },
    [],
  );
  const close = () => {
    turn.current += 1;
    setSearch(null);
  };
  const onTyped = (text: string, caret: number) => {
    const part = mentionBefore(text, caret);
    if (part === null) return close();
    turn.current += 1;
    const mine = turn.current;
    setActive(0);
    setSearch({ part, users: search?.users ?? null });
    setTimeout(async () => {
      if (mine !== turn.current) return;
      const query = { ...thread, search: part };
      const found = await rest("GET /comments/mentionable", { query }).catch(() => null);
      const users = found?.items ?? null;
      if (mine === turn.current) setSearch(users && { part, users });
    }, SEARCH_DELAY_MS);
  };
  const pick = ({ id, name }: CommentUser) => {
    const input = area();
    if (!input || !search) return;
    draft.users.push({ id, name });
    const start = input.selectionStart - search.part.length;
    const end = input.selectionStart;
    // A space that already follows is the one after the name.
    input.setRangeText(`${name} `, start, input.value[end] === " " ? end + 1 : end, "end");
    draft.write(input.value);
    close();
  };
  const users = search?.users ?? [];
  /** Whether the key was for the list. */
  const onKey = (event: KeyboardEvent): boolean => {
    const chosen = users[active];
    if (search === null) return false;
    if (event.key === "Escape") close();
    else if (!chosen || event.ctrlKey || event.metaKey) return false;
    else if (event.key === "ArrowDown") setActive((active + 1) % users.length);
    else if (event.key === "ArrowUp") setActive((active + users.length - 1) % users.length);
    else if (event.key === "Enter" || event.key === "Tab") pick(chosen);
    else return false;
    event.preventDefault();
    return true;
  };
  const isOpen = search !== null && search.users !== null;
  return { isOpen, users, active, setActive, onTyped, pick, onKey, close };
}
