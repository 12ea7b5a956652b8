import { useCallback, useEffect, useRef, useState } from "react";
import type { SecurityEvent } from "../../../../shared/protocol/security-events.ts";
import { useUserUpdates } from "../../state/use-user-updates.ts";
import { type ChangePage, readChanges } from "../../sync/calls/change-log.ts";
import { readSecurityEvents } from "../../sync/calls/security-events.ts";
import { followTables } from "../../sync/page/follow-tables.ts";
import { isSessionEnd, problemText } from "../../ui/problem-text.ts";
import { useRemote } from "../../ui/use-remote.ts";
import { type ActivityFilter, changeFilterOf, isAboutChanges, spanOf } from "./activity-filter.ts";
import { withNewest } from "./group-changes.ts";

const PAGE_CHANGES = 50;
const EVENTS_MAX = 200;
/** Refreshes what is not followed: many tables, relative times, and spans up to now. */
const REFRESH_MS = 30_000;
/** Limits the subscriptions for models with many tables. */
const LIVE_TABLES_MAX = 12;
const noEvents = { items: [], total: 0 };

export interface Timeline {
  /** Null before the first answer. */
  changes: ChangePage | null;
  events: readonly SecurityEvent[];
  /** Older events match that are not loaded. */
  hasMoreEvents: boolean;
  problem: string | null;
  isReading: boolean;
  readOlder(): void;
}

interface Options {
  filter: ActivityFilter;
  /** The tables whose history may be shown. */
  tables: readonly string[];
  /** Whether security events may be shown. */
  withEvents: boolean;
  /** Another one discards what is held: it was read under other rights. */
  rights: unknown;
}

/** The timeline for a filter: read again when a followed table changes, older changes on request. */
export function useTimeline({ filter, tables, withEvents, rights }: Options): Timeline {
  const showsChanges = filter.show !== "events";
  const showsEvents = withEvents && filter.show !== "changes" && !isAboutChanges(filter);
  const key = JSON.stringify([filter, showsChanges, showsEvents, rights]);
  const changes = useChanges(filter, key, showsChanges);
  const followed = filter.table ? [filter.table] : tables.slice(0, LIVE_TABLES_MAX);
  const names = showsChanges ? followed.join("\n") : "";
  useEffect(
    () => followTables(names ? names.split("\n") : [], changes.refresh),
    [names, changes.refresh],
  );
  useEffect(() => {
    const timer = setInterval(() => document.hidden || changes.refresh(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [changes.refresh]);
  const events = useRemote(
    async () => {
      const user = filter.user || null;
      return showsEvents ? readSecurityEvents({ group: null, user }, EVENTS_MAX) : noEvents;
    },
    REFRESH_MS,
    `${key} ${useUserUpdates()}`,
  );
  const held = showsEvents ? (events.data ?? noEvents) : noEvents;
  const { from = "", to } = spanOf(filter, Date.now());
  const oldest = showsChanges && changes.page?.next ? (changes.page.items.at(-1)?.at ?? "") : "";
  const isShown = ({ at }: SecurityEvent) => {
    return at >= from && at >= oldest && (to === undefined || at <= to);
  };
  const shown = held.items.filter(isShown);
  return {
    changes: changes.page,
    events: shown,
    hasMoreEvents: shown.length === held.items.length && held.items.length < held.total,
    problem: changes.problem ?? (showsEvents ? events.problem : null),
    isReading: changes.isReading,
    readOlder: changes.readOlder,
  };
}

interface Held {
  key: string;
  page: ChangePage | null;
  problem: string | null;
}

function useChanges(filter: ActivityFilter, key: string, isShown: boolean) {
  const [held, setHeld] = useState<Held>({ key: "", page: null, problem: null });
  const [isReading, setReading] = useState(false);
  const latest = useRef({ filter, key, isShown });
  latest.current = { filter, key, isShown };
  const read = useCallback(async (before?: string) => {
    const { filter, key, isShown } = latest.current;
    try {
      const page = isShown
        ? await readChanges(changeFilterOf(filter, Date.now()), PAGE_CHANGES, before)
        : { items: [], next: null };
      if (key !== latest.current.key) return;
      setHeld((old) => ({
        key,
        page: joined(old.key === key ? old.page : null, page, before),
        problem: null,
      }));
    } catch (error) {
      if (key !== latest.current.key || isSessionEnd(error)) return;
      setHeld((old) => ({
        key,
        page: old.key === key ? old.page : null,
        problem: problemText(error),
      }));
    }
  }, []);
  const refresh = useCallback(() => void read(), [read]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter is the reason to read.
  useEffect(refresh, [refresh, key]);
  const page = held.key === key ? held.page : null;
  const next = page?.next;
  const readOlder = async () => {
    if (!next || isReading) return;
    setReading(true);
    await read(next);
    setReading(false);
  };
  return {
    page,
    problem: held.key === key ? held.problem : null,
    isReading,
    refresh,
    readOlder: () => void readOlder(),
  };
}

/** The held changes with another page: the newest one, or the one that goes on at `before`. */
function joined(held: ChangePage | null, page: ChangePage, before: string | undefined): ChangePage {
  if (!held) return page;
  if (before === undefined) return withNewest(held, page);
  return held.next === before ? { items: [...held.items, ...page.items], next: page.next } : held;
}
