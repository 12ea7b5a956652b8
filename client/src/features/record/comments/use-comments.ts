import { useEffect, useState } from "react";
import type { CommentInfo } from "../../../../../shared/protocol/comments.ts";
import { onUpdate } from "../../../state/updates.ts";
import { rest } from "../../../transport/rest/rest.ts";
import { useRemote } from "../../../ui/use-remote.ts";

/** Notices in quick succession are read together. */
const READ_DELAY_MS = 200;
const PAGE_COMMENTS = 50;

export interface CommentThread {
  /** Oldest first; null before the first answer. */
  items: readonly CommentInfo[] | null;
  hasEarlier: boolean;
  problem: string | null;
  showEarlier(): void;
  reload(): void;
}

/** The comments on a record, live. One that is not stored yet has none. */
export function useComments(table: string, record: string, isStored: boolean): CommentThread {
  const [limit, setLimit] = useState(PAGE_COMMENTS);
  const load = async () =>
    isStored
      ? rest("GET /comments", { query: { table, record, limit } })
      : { items: [], next: null };
  const { data, problem, reload } = useRemote(load, { key: `${isStored} ${limit}` });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onUpdate(["comment"], (notice) => {
      if (notice && (notice.table !== table || notice.record !== record)) return;
      clearTimeout(timer);
      timer = setTimeout(reload, READ_DELAY_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [table, record, reload]);
  return {
    items: data?.items.toReversed() ?? null,
    hasEarlier: data !== null && data.next !== null,
    problem,
    showEarlier: () => setLimit(limit + PAGE_COMMENTS),
    reload,
  };
}

/** Marks the shown comments as read, once the page is visible. Returns the ids of those that were unread when they were first shown. */
export function useRead(items: readonly CommentInfo[]): ReadonlySet<string> {
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const unread = items.filter((one) => one.unread);
  const added = unread.filter(({ id }) => !fresh.has(id));
  if (added.length > 0) setFresh(new Set([...fresh, ...added.map(({ id }) => id)]));
  const { table, record, id: until } = unread.at(-1) ?? {};
  useEffect(() => {
    if (until === undefined || table === undefined || record === undefined) return;
    const mark = () => {
      if (document.hidden) return;
      stop();
      // After a failure they stay unread, and are marked when they are next shown.
      void rest("PUT /comments/read", { body: { table, record, until } }).catch(() => undefined);
    };
    const stop = () => document.removeEventListener("visibilitychange", mark);
    document.addEventListener("visibilitychange", mark);
    mark();
    return stop;
  }, [table, record, until]);
  return fresh;
}
