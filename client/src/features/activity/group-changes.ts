import type { ActivityEntry } from "../../../../shared/protocol/records.ts";
import type { SecurityEvent } from "../../../../shared/protocol/security-events.ts";
import type { ChangePage } from "../../sync/calls/change-log.ts";

/** One row of the timeline: changes that were made together, or a security event. */
export type TimelineRow =
  | {
      kind: "changes";
      key: string;
      at: string;
      entries: readonly ActivityEntry[];
      /** Older changes that are not loaded may belong to it. */
      isPartial: boolean;
    }
  | { kind: "event"; key: string; at: string; event: SecurityEvent };

/** The identity of a change: its place in the log of its table. */
export function keyOf({ table, seq }: Pick<ActivityEntry, "table" | "seq">): string {
  return `${table}\n${seq}`;
}

/** Rows, newest first. Consecutive changes of one kind are joined if one change set or one edit made them. */
export function timelineRows(
  entries: readonly ActivityEntry[],
  events: readonly SecurityEvent[],
  hasOlder: boolean,
): TimelineRow[] {
  const groups: ActivityEntry[][] = [];
  for (const entry of entries) {
    const group = groups.at(-1);
    const [first] = group ?? [];
    if (group && first && isTogether(first, entry)) group.push(entry);
    else groups.push([entry]);
  }
  const changes = groups.flatMap((group): TimelineRow[] => {
    const [newest] = group;
    const oldest = group.at(-1);
    if (!newest || !oldest) return [];
    const isPartial = hasOlder && group === groups.at(-1) && causeOf(oldest) !== undefined;
    return [{ kind: "changes", key: keyOf(oldest), at: newest.at, entries: group, isPartial }];
  });
  const others = events.map((event): TimelineRow => {
    return { kind: "event", key: `event ${event.id}`, at: event.at, event };
  });
  // The order of the log is right even where two clocks disagree, so changes are never sorted among themselves.
  return mergeByTime(changes, others);
}

function mergeByTime(changes: TimelineRow[], events: TimelineRow[]): TimelineRow[] {
  const rows: TimelineRow[] = [];
  let next = 0;
  for (const row of changes) {
    for (; (events[next]?.at ?? "") > row.at; next += 1) rows.push(events[next] as TimelineRow);
    rows.push(row);
  }
  return [...rows, ...events.slice(next)];
}

/** What made several changes together: a change set, or one edit of several records. */
function causeOf({ changeSet, mutation }: ActivityEntry): string | undefined {
  return changeSet ?? mutation;
}

function isTogether(a: ActivityEntry, b: ActivityEntry): boolean {
  return (
    causeOf(a) !== undefined &&
    causeOf(a) === causeOf(b) &&
    a.table === b.table &&
    a.kind === b.kind &&
    a.transition === b.transition &&
    a.by.kind === b.by.kind &&
    a.by.id === b.by.id
  );
}

/** The loaded changes, and the places of them after which they can be cut off: where pages that were read have ended. */
export interface LoadedChanges extends ChangePage {
  /** Newest first. */
  ends?: readonly { key: string; next: string }[];
}

/** An open screen holds so many changes, and older ones only until so many newer ones have come. */
const NEWER_MAX_CHANGES = 500;

/**
 * Merges the newest page, read again, into the loaded changes. Changes that the page no longer contains are dropped. If
 * the page does not reach back to the loaded changes, there may be others in between, so only the page is returned.
 */
export function withNewest(held: LoadedChanges, page: ChangePage): LoadedChanges {
  const { next } = page;
  if (next === null) return page;
  const last = page.items.at(-1);
  if (!last) return held;
  const key = keyOf(last);
  const at = held.items.findIndex((entry) => keyOf(entry) === key);
  if (at < 0) return page;
  const ends = [{ key, next }, ...(held.ends ?? []).filter((end) => end.key !== key)];
  return cutOff({ items: [...page.items, ...held.items.slice(at + 1)], next: held.next, ends });
}

/** Drops what is older than enough newer changes. */
function cutOff({ items, next, ends = [] }: LoadedChanges): LoadedChanges {
  const places = new Map(items.map((entry, at) => [keyOf(entry), at]));
  const present = ends.filter(({ key }) => places.has(key));
  const index = present.findIndex(({ key }) => (places.get(key) ?? 0) >= NEWER_MAX_CHANGES);
  const cut = present[index];
  if (!cut) return { items, next, ends: present };
  const newer = items.slice(0, (places.get(cut.key) ?? 0) + 1);
  return { items: newer, next: cut.next, ends: present.slice(0, index) };
}

/**
 * The loaded changes preceded by newer ones from the page; null if there may be newer ones that the page does not
 * contain.
 */
export function withRecent(held: LoadedChanges, page: ChangePage): LoadedChanges | null {
  const known = new Set(held.items.map(keyOf));
  const added = page.items.filter((entry) => !known.has(keyOf(entry)));
  if (page.next !== null && added.length === page.items.length && added.length > 0) return null;
  return { ...held, items: [...added, ...held.items] };
}
