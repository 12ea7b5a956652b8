import { useCallback, useEffect, useRef, useState } from "react";
import type { SecurityEvent } from "../../../../shared/protocol/security-events.ts";
import {
  type ChangeFilter,
  type ChangePage,
  readChanges,
  searchChanges,
} from "../../sync/calls/change-log.ts";
import { readSecurityEvents } from "../../sync/calls/security-events.ts";
import { followTables } from "../../sync/page/follow-tables.ts";
import { isSessionEnd, problemText } from "../../ui/problem-text.ts";
import { useLatest } from "../../ui/use-latest.ts";
import { useRemote } from "../../ui/use-remote.ts";
import { useRepeat } from "../../ui/use-repeat.ts";
import { type ActivityFilter, changeFilterOf, isAboutChanges, spanOf } from "./activity-filter.ts";
import { type LoadedChanges, withNewest, withRecent } from "./group-changes.ts";

const PAGE_CHANGES = 50;
const EVENTS_MAX = 200;
/** Refreshes what is not followed: many tables, relative times, and spans up to now. */
const REFRESH_MS = 30_000;
/** Limits the subscriptions for models with many tables. */
const LIVE_TABLES_MAX = 12;
/** A change may be logged this long after its time, by a transaction that took long. */
const LATE_CHANGES_MS = 30_000;
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

/** The timeline for a filter: read again when a followed table changes, older changes on request. */
export function useTimeline({
  filter,
  tables,
  withEvents,
  rights,
}: {
  filter: ActivityFilter;
  /** The tables whose history may be shown. */
  tables: readonly string[];
  /** Whether security events may be shown. */
  withEvents: boolean;
  /** Another one discards what is held: it was read under other rights. */
  rights: unknown;
}): Timeline {
  const showsChanges = filter.show !== "events" && filter.show !== "comments";
  const mayShowEvents = filter.show === "all" || filter.show === "events";
  const showsEvents = withEvents && mayShowEvents && !isAboutChanges(filter);
  const key = JSON.stringify([filter, showsChanges, showsEvents, rights]);
  const changes = useChanges(filter, key, showsChanges);
  const followed = filter.table ? [filter.table] : tables.slice(0, LIVE_TABLES_MAX);
  // Notices of comments are sent for tables that are followed.
  const names = filter.show === "events" ? "" : followed.join("\n");
  useEffect(
    () => followTables(names ? names.split("\n") : [], changes.readRecent),
    [names, changes.readRecent],
  );
  useRepeat(changes.refresh, REFRESH_MS);
  const events = useRemote(
    async () => {
      const user = filter.user || null;
      return showsEvents ? readSecurityEvents({ group: null, user }, EVENTS_MAX) : noEvents;
    },
    { on: ["people"], key },
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
  page: LoadedChanges | null;
  problem: string | null;
}

/**
 * The changes that match. What a user asks for is searched in several calls; while the screen is open, only what was
 * made since is read, which costs the same for every filter.
 */
function useChanges(filter: ActivityFilter, key: string, isShown: boolean) {
  const { page, problem, latest, readAt, update } = useHeld(filter, key, isShown);
  const [isReading, setReading] = useState(false);
  const readFirst = useCallback(() => {
    void update(async (call) => {
      const found = await searchChanges(call, PAGE_CHANGES);
      return () => found;
    });
  }, [update]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter is the reason to read.
  useEffect(readFirst, [readFirst, key]);
  const refresh = useCallback(() => {
    void update(async (call) => {
      const found = await readChanges(call, PAGE_CHANGES);
      return (old) => (old ? withNewest(old, found) : found);
    });
  }, [update]);
  const readRecent = useCallback(() => {
    const { page } = latest.current;
    if (!page) return;
    const newest = page.items[0] ? Date.parse(page.items[0].at) : readAt.current;
    const since = new Date(newest - LATE_CHANGES_MS).toISOString();
    void update(async (call) => {
      const from = call.from !== undefined && call.from > since ? call.from : since;
      const found = await readChanges({ ...call, from }, PAGE_CHANGES);
      return (old) => old && (withRecent(old, found) ?? found);
    });
  }, [update, latest, readAt]);
  const readOlder = async (next: string) => {
    setReading(true);
    await update(async (call) => {
      const found = await searchChanges(call, PAGE_CHANGES, next);
      return (old) => (old?.next === next ? joined(old, found) : old);
    });
    setReading(false);
  };
  return {
    page,
    problem,
    isReading,
    refresh,
    readRecent,
    readOlder: () => void (page?.next && !isReading && readOlder(page.next)),
  };
}

/** The changes held for a filter, and a function that reads some and puts them among those. */
function useHeld(filter: ActivityFilter, key: string, isShown: boolean) {
  const [held, setHeld] = useState<Held>({ key: "", page: null, problem: null });
  const page = held.key === key ? held.page : null;
  const latest = useLatest({ filter, key, isShown, page });
  const readAt = useRef(0);
  const update = useCallback(async (read: (call: ChangeFilter) => Promise<Change>) => {
    const { filter, key, isShown } = latest.current;
    const now = Date.now();
    readAt.current = now;
    const finish = (change: Change, problem: string | null) => {
      if (key !== latest.current.key) return;
      setHeld((old) => ({ key, page: change(old.key === key ? old.page : null), problem }));
    };
    try {
      finish(isShown ? await read(changeFilterOf(filter, now)) : () => nothing, null);
    } catch (error) {
      if (!isSessionEnd(error)) finish((old) => old, problemText(error));
    }
  }, []);
  return { page, problem: held.key === key ? held.problem : null, latest, readAt, update };
}

/** What to make of the held changes. */
type Change = (held: LoadedChanges | null) => LoadedChanges | null;

const nothing: LoadedChanges = { items: [], next: null };

function joined(held: LoadedChanges, older: ChangePage): LoadedChanges {
  return { ...held, items: [...held.items, ...older.items], next: older.next };
}
