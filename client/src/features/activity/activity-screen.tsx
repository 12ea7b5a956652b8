import { Button } from "@mantine/core";
import { IconHistory, IconLock } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { Link, useSearchParams } from "wouter";
import type { CreateChangeSetCall } from "../../../../shared/protocol/change-sets.ts";
import type { ActivityEntry } from "../../../../shared/protocol/records.ts";
import type { UserInfo } from "../../../../shared/protocol/users.ts";
import { activityMessages as messages } from "../../messages/en/activity.ts";
import { richText } from "../../messages/rich-text.tsx";
import { changeSetAddress } from "../../records/change-sets/change-set-address.ts";
import { ExportMenu } from "../../records/export-menu.tsx";
import { useLabelUpdates } from "../../records/fields/use-label-updates.ts";
import { useAbilities, useModel } from "../../state/use-account.ts";
import { listUsers } from "../../sync/calls/users.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formatMoment } from "../../ui/numbers.ts";
import { Page } from "../../ui/page.tsx";
import { ScreenSkeleton } from "../../ui/screen-skeleton.tsx";
import { toastFailure } from "../../ui/toast.tsx";
import { useGoOn } from "../../ui/use-go-on.ts";
import { useRemote } from "../../ui/use-remote.ts";
import { useTitle } from "../../ui/use-title.ts";
import classes from "./activity.module.css";
import {
  type ActivityFilter,
  changeFilterOf,
  filesOf,
  filterOf,
  paramsOf,
  spanOf,
} from "./activity-filter.ts";
import { ActivityFilters } from "./activity-filters.tsx";
import { ActivityList } from "./activity-list.tsx";
import { CommentTimeline } from "./comment-timeline.tsx";
import { keyOf } from "./group-changes.ts";
import { type Timeline, useTimeline } from "./use-timeline.ts";
import "../../records/fields/marks.css";
import { rest } from "../../transport/rest/rest.ts";
import { Hint } from "../../ui/texts.ts";
import { useBusy } from "../../ui/use-action.ts";

/** The filters that "revert all by this user" can be combined with. */
const revertible: readonly string[] = ["all", "changes"];
/** The most changes that one call can name. */
const SELECTED_MAX = 1_000;

/** Every change that the user may see, and security events for those who may see them: live, and revertible. */
export function ActivityScreen() {
  useTitle(messages.title());
  useLabelUpdates();
  const abilities = useAbilities();
  const tables = useModel().tables.filter(({ name }) => abilities.tables[name]?.history);
  const withEvents = abilities.rights.includes("activity");
  const [params, setParams] = useSearchParams();
  const filter = filterOf(params);
  const users = useRemote(listUsers, { on: ["people"] }).data ?? [];
  const names = tables.map(({ name }) => name);
  const timeline = useTimeline({ filter, tables: names, withEvents, rights: abilities.tables });
  const selection = useSelection();
  const revert = useRevert();
  const change = (next: Partial<ActivityFilter>) => {
    selection.clear();
    setParams(paramsOf({ ...filter, ...next }), { replace: true });
  };
  if (tables.length === 0 && !withEvents) return <NoHistory />;
  return (
    <Page
      title={messages.title()}
      lead={messages.lead()}
      actions={withEvents && <ExportMenu files={filesOf(changeFilterOf(filter, Date.now()))} />}
    >
      <ActivityFilters
        filter={filter}
        tables={tables}
        users={users}
        withEvents={withEvents}
        onChange={change}
      />
      <FormProblem problem={timeline.problem} focus={false} />
      <RevertByUser filter={filter} users={users} revert={revert} />
      {filter.show === "comments" ? (
        <CommentTimeline filter={filter} />
      ) : (
        <Content
          timeline={timeline}
          isOfDeleted={filter.show === "deleted"}
          onClear={params.size > 0 ? () => setParams({}) : null}
        >
          <ActivityList
            timeline={timeline}
            users={users}
            selected={selection.keys}
            onSelect={selection.set}
            onFilter={change}
            onRevert={(entries) => void revert.changes(entries.map(placeOf))}
          />
        </Content>
      )}
      {selection.keys.size > 0 && (
        <SelectionBar
          count={selection.keys.size}
          isBusy={revert.isBusy}
          onClear={selection.clear}
          onRevert={() => void revert.changes([...selection.keys].map(placeOfKey))}
        />
      )}
    </Page>
  );
}

function NoHistory() {
  return <Notice icon={IconLock} title={messages.noHistory()} text={messages.noHistoryText()} />;
}

/** The list, or why there is none, and a button for older entries. */
function Content(props: {
  timeline: Timeline;
  isOfDeleted: boolean;
  onClear: (() => void) | null;
  children: ReactNode;
}) {
  const { timeline, isOfDeleted, onClear, children } = props;
  const { changes, events, hasMoreEvents, isReading, readOlder } = timeline;
  if (!changes) return timeline.problem ? null : <ScreenSkeleton />;
  const isEmpty = changes.items.length + events.length === 0;
  if (isEmpty && changes.next === null) {
    return (
      <Notice
        icon={IconHistory}
        title={isOfDeleted ? messages.noneDeleted() : messages.none()}
        text={isOfDeleted ? messages.noneDeletedText() : messages.noneText()}
      >
        {onClear && (
          <Button variant="default" onClick={onClear}>
            {messages.clearFilters()}
          </Button>
        )}
      </Notice>
    );
  }
  return (
    <>
      {isEmpty ? <Hint mb={16}>{messages.noneYet()}</Hint> : children}
      {changes.next !== null && (
        <Button variant="default" mt="md" loading={isReading} onClick={readOlder}>
          {isEmpty ? messages.searchOlder() : messages.showOlder()}
        </Button>
      )}
      {hasMoreEvents && (
        <Hint mb={16}>
          {richText(messages.olderEvents(), {
            link: (text) => <Link href="/admin/security">{text}</Link>,
          })}
        </Hint>
      )}
    </>
  );
}

/**
 * Reverts everything that one user did in a span. The button is hidden if a filter is set that such a revert can't
 * follow.
 */
function RevertByUser(props: {
  filter: ActivityFilter;
  users: readonly UserInfo[];
  revert: ReturnType<typeof useRevert>;
}) {
  const { filter, users, revert } = props;
  const { user: by, table, record, field, origin, changeSet, search, show } = filter;
  const user = users.find(({ id }) => id === by)?.name;
  if (user === undefined || field || origin || changeSet || search || !revertible.includes(show))
    return null;
  const { from, to } = spanOf(filter, Date.now());
  if (from === undefined) return <Hint mb={16}>{messages.chooseSpan({ user })}</Hint>;
  const run = () =>
    revert.run({
      title: messages.revertTitleBy({ user }),
      revert: { by, from, ...(to && { to }), ...(table && { table }), ...(record && { record }) },
    });
  return (
    <Hint mb={16}>
      <Button variant="default" size="xs" loading={revert.isBusy} onClick={() => void run()}>
        {messages.revertAllBy({ user, time: formatMoment(from) })}
      </Button>
    </Hint>
  );
}

interface SelectionBarProps {
  count: number;
  isBusy: boolean;
  onClear(): void;
  onRevert(): void;
}

function SelectionBar({ count, isBusy, onClear, onRevert }: SelectionBarProps) {
  return (
    <div className={classes.selection} role="toolbar" aria-label={messages.selected({ count })}>
      <span role="status">{messages.selected({ count })}</span>
      <Button size="xs" loading={isBusy} onClick={onRevert}>
        {messages.revert()}
      </Button>
      <Button size="xs" variant="subtle" onClick={onClear}>
        {messages.clearSelection()}
      </Button>
    </div>
  );
}

/** Creates a draft that reverts the changes, and opens it, so that nothing is reverted before the user has reviewed it. */
function useRevert() {
  const { isBusy, run: runBusy } = useBusy();
  const goOn = useGoOn();
  const run = (body: CreateChangeSetCall) =>
    runBusy(async () => goOn(changeSetAddress((await rest("POST /change-sets", { body })).id)));
  const changes = async (places: { table: string; seq: number }[]) => {
    if (places.length > SELECTED_MAX) toastFailure(messages.tooMany({ max: SELECTED_MAX }));
    else await run({ revert: { changes: places } });
  };
  return { isBusy, run, changes };
}

/** The selected changes, by their keys. */
function useSelection() {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const set = (entries: readonly ActivityEntry[], isSelected: boolean) => {
    const next = new Set(keys);
    for (const key of entries.map(keyOf)) isSelected ? next.add(key) : next.delete(key);
    setKeys(next);
  };
  return { keys, set, clear: () => setKeys(new Set()) };
}

const placeOf = ({ table, seq }: ActivityEntry) => ({ table, seq });

function placeOfKey(key: string) {
  const [table = "", seq] = key.split("\n");
  return { table, seq: Number(seq) };
}
