import { Tabs } from "@mantine/core";
import { useState } from "react";
import type { Table } from "../../../../shared/model/model.ts";
import { governedBy } from "../../../../shared/model/state-of.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";
import { commentMessages } from "../../messages/en/comments.ts";
import { recordMessages as messages } from "../../messages/en/record.ts";
import type { RecordView } from "../../state/record-view.ts";
import { useAbilities, useModel } from "../../state/use-account.ts";
import { isNewRecord } from "../../sync/edits/build-view.ts";
import { Tag } from "../../ui/tag.tsx";
import { CommentsTab } from "./comments/comments-tab.tsx";
import { type CommentThread, useComments } from "./comments/use-comments.ts";
import { HistoryList } from "./history/history-list.tsx";
import { useHistory } from "./history/use-history.ts";
import { LinkedFromTab, type LinkSource } from "./linked/linked-from-tab.tsx";
import classes from "./record.module.css";
import { DeletedBanner, DraftBanner, ProblemBanner } from "./record-banners.tsx";
import { RecordForm } from "./record-form.tsx";
import { RecordTransitions } from "./record-transitions.tsx";
import { type TabName, useTab } from "./use-tab.ts";

interface Props {
  table: Table;
  abilities: TableAbilities;
  record: RecordView;
  /** A draft was discarded: there is no record to show. */
  onDiscarded(): void;
}

/** The fields of the record as a form, its comments and its history. */
export function RecordBody({ table, abilities, record, onDiscarded }: Props) {
  const state = governedBy(table)?.stateField;
  const fields = table.fields.filter(
    ({ name }) => abilities.fields.includes(name) && name !== state,
  );
  const deleted = record.mark === "deleted";
  const isDraft = record.pending === "draft";
  const isStored = !isNewRecord(record);
  const comments = useComments(table.name, record.id, isStored);
  const sources = useLinkSources(table.name);
  const hasValues = Object.keys(record.values).length > 0;
  const available: TabName[] = [
    "fields",
    ...(isDraft ? [] : (["comments"] as const)),
    ...(sources.length > 0 && !isDraft ? (["linked"] as const) : []),
    ...(abilities.history ? (["history"] as const) : []),
  ];
  const [tab, setTab] = useTab(deleted && !hasValues ? "history" : "fields", available);
  const [isTouched, setTouched] = useState(false);
  const isWanted = abilities.history && isStored && (isTouched || tab === "history");
  const history = useHistory(table.name, record.id, record.version, isWanted);
  return (
    <>
      {deleted && (
        <DeletedBanner
          key={record.id}
          table={table}
          record={record}
          canRestore={abilities.delete}
        />
      )}
      {isDraft && <DraftBanner table={table} record={record} onDiscarded={onDiscarded} />}
      <ProblemBanner record={record} />
      <RecordTransitions table={table} record={record} />
      <Tabs value={tab} onChange={setTab} className={classes.tabs ?? ""} keepMounted={false}>
        <Tabs.List px={4}>
          <Tabs.Tab value="fields" disabled={deleted && !hasValues}>
            {messages.fields()}
          </Tabs.Tab>
          {available.includes("comments") && (
            <Tabs.Tab value="comments">
              {commentMessages.comments()}
              <CommentCount comments={comments} />
            </Tabs.Tab>
          )}
          {available.includes("linked") && (
            <Tabs.Tab value="linked">{messages.linkedFrom()}</Tabs.Tab>
          )}
          {abilities.history && <Tabs.Tab value="history">{messages.history()}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel
          value="fields"
          className={classes.scroll ?? ""}
          onPointerEnter={() => setTouched(true)}
          onFocus={() => setTouched(true)}
        >
          <RecordForm
            fields={fields}
            table={table}
            abilities={abilities}
            record={record}
            history={abilities.history && !isDraft ? history : null}
            onShowHistory={() => setTab("history")}
          />
        </Tabs.Panel>
        {available.includes("comments") && (
          <Tabs.Panel value="comments" className={classes.scroll ?? ""}>
            <CommentsTab
              table={table}
              record={record.id}
              comments={comments}
              canWrite={abilities.comment && !deleted}
            />
          </Tabs.Panel>
        )}
        {available.includes("linked") && (
          <Tabs.Panel value="linked" className={classes.scroll ?? ""}>
            <LinkedFromTab sources={sources} record={record.id} />
          </Tabs.Panel>
        )}
        {abilities.history && (
          <Tabs.Panel value="history" className={classes.scroll ?? ""}>
            <HistoryList table={table} abilities={abilities} record={record} history={history} />
          </Tabs.Panel>
        )}
      </Tabs>
    </>
  );
}

/** The link fields that point to a table, as far as the user can read them. */
function useLinkSources(target: string): LinkSource[] {
  const { tables: readable } = useAbilities();
  return useModel().tables.flatMap((table) => {
    const { fields = [] } = readable[table.name] ?? {};
    return table.fields
      .filter((field) => field.type === "link" && field.target === target)
      .filter(({ name }) => fields.includes(name))
      .map((field) => ({ table, field, isTitled: fields.includes(table.display) }));
  });
}

/** How many comments there are, marked if some are unread. */
function CommentCount({ comments: { items, hasEarlier } }: { comments: CommentThread }) {
  if (!items?.length) return null;
  const unread = items.filter((one) => one.unread).length;
  return (
    <Tag tone={unread > 0 ? "good" : "neutral"} ms={6} lh={1}>
      {hasEarlier ? `${items.length}+` : items.length}
      {unread > 0 && (
        <span className="wf-visually-hidden">
          {", "}
          {commentMessages.unreadCount({ count: unread })}
        </span>
      )}
    </Tag>
  );
}
