import { useMemo } from "react";
import type { ActivityEntry } from "../../../../shared/protocol/records.ts";
import type { UserInfo } from "../../../../shared/protocol/users.ts";
import { EventRow } from "../../access/security-events/event-list.tsx";
import { activityMessages as messages } from "../../messages/en/activity.ts";
import { trailState } from "../../records/record-trail.ts";
import frame from "../../ui/rows.module.css";
import classes from "./activity.module.css";
import type { ActivityFilter } from "./activity-filter.ts";
import { dayLabel } from "./activity-labels.ts";
import { ChangeRow, Trail } from "./change-row.tsx";
import { keyOf, type TimelineRow, timelineRows } from "./group-changes.ts";
import type { Timeline } from "./use-timeline.ts";

interface Props {
  timeline: Timeline;
  users: readonly UserInfo[];
  selected: ReadonlySet<string>;
  onSelect(entries: readonly ActivityEntry[], isSelected: boolean): void;
  onFilter(change: Partial<ActivityFilter>): void;
  onRevert(entries: readonly ActivityEntry[]): void;
}

/** The rows of the timeline under their days, newest first. */
export function ActivityList({ timeline, users, selected, ...actions }: Props) {
  const { items, next } = timeline.changes ?? { items: [], next: null };
  const rows = timelineRows(items, timeline.events, next !== null);
  const days = Map.groupBy(rows, ({ at }) => dayLabel(at));
  const colourOf = (user: string) => users.find(({ id }) => id === user)?.colour;
  const trail = useMemo(() => trailState(items), [items]);
  return (
    <section aria-label={messages.list()}>
      <Trail value={trail}>
        {[...days].map(([day, own]) => (
          <div key={day} className={classes.day}>
            <h2>{day}</h2>
            <ol className={frame.rows}>
              {own.map((row) =>
                row.kind === "event" ? (
                  <EventRow key={row.key} event={row.event} />
                ) : (
                  <ChangeRow
                    key={row.key}
                    entries={row.entries}
                    isPartial={row.isPartial}
                    colourOf={colourOf}
                    isSelected={isSelected(row, selected)}
                    {...actions}
                  />
                ),
              )}
            </ol>
          </div>
        ))}
      </Trail>
    </section>
  );
}

function isSelected(
  row: TimelineRow & { kind: "changes" },
  selected: ReadonlySet<string>,
): boolean {
  return row.entries.every((entry) => selected.has(keyOf(entry)));
}
