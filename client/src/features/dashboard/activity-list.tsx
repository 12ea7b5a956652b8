import { Box, Text } from "@mantine/core";
import { Link } from "wouter";
import { recordAddress, tableAddress } from "../../../../shared/record-address.ts";
import { dashboardMessages as messages } from "../../messages/en/dashboard.ts";
import { richText } from "../../messages/rich-text.tsx";
import { trailState } from "../../records/record-trail.ts";
import { useAbilities } from "../../state/use-account.ts";
import type { ActivityItem } from "../../sync/calls/activity.ts";
import { listUsers } from "../../sync/calls/users.ts";
import { Ago } from "../../ui/ago.tsx";
import { AuthorMark } from "../../ui/author-mark.tsx";
import { authorName } from "../../ui/author-name.ts";
import { useRemote } from "../../ui/use-remote.ts";
import { changeText } from "./activity-labels.ts";
import classes from "./activity-list.module.css";
import { groupRuns } from "./group-runs.ts";
import { LineSkeletons, Part } from "./part.tsx";

interface Props {
  /** The last result; null before the first one. */
  items: readonly ActivityItem[] | null;
  /** Why the last request failed. */
  problem: string | null;
}

/** The latest changes with their authors, newest first. */
export function ActivityList({ items, problem }: Props) {
  const hasHistory = Object.values(useAbilities().tables).some(({ history }) => history);
  const places = (items ?? []).map(({ table, change }) => ({
    table: table.name,
    record: change.record,
  }));
  const trail = trailState(places);
  const users = useRemote(listUsers, { on: ["people"] }).data ?? [];
  return (
    <Part title={messages.latestChanges()}>
      {problem !== null && <Text c="dimmed">{messages.changesFailed({ problem })}</Text>}
      {items === null && problem === null && <LineSkeletons widths={[70, 55, 62]} />}
      {items?.length === 0 && problem === null && <Text c="dimmed">{messages.noChanges()}</Text>}
      <Box component="ol" mx={-8}>
        {groupRuns(items ?? []).map(({ item, count }) => {
          const { table, change, title } = item;
          const recordHref = recordAddress(table.name, change.record);
          const colour = users.find((user) => user.id === change.by.id)?.colour;
          return (
            <li key={`${table.name}/${change.seq}`}>
              <Link
                className={classes.line}
                href={count > 1 ? tableAddress(table.name) : recordHref}
                state={count > 1 ? undefined : trail}
              >
                <AuthorMark by={change.by} colour={colour} />
                <span className={classes.text}>
                  {richText(changeText(table, change, count), {
                    author: () => <strong>{authorName(change.by)}</strong>,
                    title: () => (
                      <Text dir="auto" span inherit c="var(--wf-text)">
                        {title}
                      </Text>
                    ),
                  })}
                </span>
                <Ago at={change.at} />
              </Link>
            </li>
          );
        })}
      </Box>
      {hasHistory && (items?.length ?? 0) > 0 && (
        <Box component={Link} display="inline-block" mt={8} fz="sm" href="/activity">
          {messages.allActivity()}
        </Box>
      )}
    </Part>
  );
}
