import { Skeleton } from "@mantine/core";
import { IconDatabase, IconKey } from "@tabler/icons-react";
import { Link } from "wouter";
import type { ActivityItem } from "../../sync/calls/activity.ts";
import { listUsers } from "../../sync/calls/users.ts";
import { formatAgo, formatMoment } from "../../ui/numbers.ts";
import { recordAddress, tableAddress } from "../../ui/record-address.ts";
import { useRemote } from "../../ui/use-remote.ts";
import { UserAvatar } from "../../ui/user-avatar.tsx";
import { authorName, changeSummary } from "./activity-labels.ts";
import classes from "./activity-list.module.css";
import { groupRuns } from "./group-runs.ts";
import { Part } from "./part.tsx";

/** Colours of people change seldom. */
const USERS_REFRESH_MS = 120_000;

interface Props {
  /** What was read last; null before the first answer. */
  items: readonly ActivityItem[] | null;
  /** Why it could not be read again. */
  problem: string | null;
}

/** What was done just now, by whom, newest first. */
export function ActivityList({ items, problem }: Props) {
  const users = useRemote(listUsers, USERS_REFRESH_MS).data ?? [];
  return (
    <Part title="Latest changes">
      {problem !== null && (
        <p className={classes.none}>Latest changes could not be read: {problem}</p>
      )}
      {items === null && problem === null && <ActivitySkeleton />}
      {items?.length === 0 && problem === null && (
        <p className={classes.none}>
          Nothing has changed yet. Open a table and edit a cell: it shows here, and on every screen.
        </p>
      )}
      <ol className={classes.list}>
        {groupRuns(items ?? []).map(({ item, count }) => {
          const { table, change, title } = item;
          const recordHref = recordAddress(table.name, change.record);
          const colour = users.find((user) => user.id === change.by.id)?.colour;
          return (
            <li key={`${table.name}/${change.seq}`}>
              <Link
                className={classes.line}
                href={count > 1 ? tableAddress(table.name) : recordHref}
              >
                <Author item={item} colour={colour} />
                <span className={classes.words}>
                  <strong>{authorName(change.by)}</strong> {changeSummary(table, change, count)}{" "}
                  {count === 1 && <span className={classes.title}>{title}</span>}
                </span>
                <time dateTime={change.at} title={formatMoment(change.at)}>
                  {formatAgo(change.at)}
                </time>
              </Link>
            </li>
          );
        })}
      </ol>
    </Part>
  );
}

function Author({ item, colour }: { item: ActivityItem; colour: string | undefined }) {
  const { kind, name } = item.change.by;
  if (kind === "user") {
    return <UserAvatar name={name} colour={colour ?? "gray"} size={24} decorative />;
  }
  const Shape = kind === "token" ? IconKey : IconDatabase;
  return (
    <span className={classes.machine} aria-hidden="true">
      <Shape size={14} stroke={1.7} />
    </span>
  );
}

function ActivitySkeleton() {
  return (
    <div className={classes.waiting} aria-hidden="true">
      <Skeleton height={14} width="70%" />
      <Skeleton height={14} width="55%" />
      <Skeleton height={14} width="62%" />
    </div>
  );
}
