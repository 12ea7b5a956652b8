import { Button, Tabs } from "@mantine/core";
import { useEffect, useState } from "react";
import { useLocationProperty } from "wouter/use-browser-location";
import type { Table } from "../../../../shared/model/model.ts";
import { neededFields } from "../../../../shared/model/needed-fields.ts";
import { governedBy } from "../../../../shared/model/state-of.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";
import { commentMessages } from "../../messages/en/comments.ts";
import { recordMessages as messages } from "../../messages/en/record.ts";
import type { RecordView } from "../../state/record-view.ts";
import { useAbilities, useModel } from "../../state/use-account.ts";
import { restoreRecord } from "../../sync/calls/record-history.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { COMMENTS_HASH } from "../../ui/comments/comment-place.ts";
import { formatList } from "../../ui/numbers.ts";
import { toast, toastProblem } from "../../ui/toast.tsx";
import { CommentsTab } from "./comments/comments-tab.tsx";
import { type CommentThread, useComments } from "./comments/use-comments.ts";
import { HistoryList } from "./history-list.tsx";
import { LinkedFromTab, type LinkSource } from "./linked/linked-from-tab.tsx";
import classes from "./record.module.css";
import { RecordField } from "./record-field.tsx";
import { RecordTransitions } from "./record-transitions.tsx";

interface Props {
  table: Table;
  abilities: TableAbilities;
  record: RecordView;
}

/** The fields of the record as a form, its comments and its history. */
export function RecordBody({ table, abilities, record }: Props) {
  const state = governedBy(table)?.stateField;
  const fields = table.fields.filter(
    ({ name }) => abilities.fields.includes(name) && name !== state,
  );
  const deleted = record.mark === "deleted";
  const isDraft = record.pending === "draft";
  const comments = useComments(table.name, record.id, !isDraft);
  const sources = useLinkSources(table.name);
  const [tab, setTab] = useTab(deleted ? "history" : "fields");
  return (
    <>
      {deleted && <Deleted table={table} record={record} />}
      {isDraft && <DraftNote table={table} record={record} />}
      {record.problem && <Problem record={record} />}
      <RecordTransitions table={table} record={record} />
      <Tabs value={tab} onChange={setTab} className={classes.tabs ?? ""} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="fields" disabled={deleted}>
            {messages.fields()}
          </Tabs.Tab>
          {!isDraft && (
            <Tabs.Tab value="comments">
              {commentMessages.comments()}
              <CommentCount comments={comments} />
            </Tabs.Tab>
          )}
          {sources.length > 0 && !isDraft && (
            <Tabs.Tab value="linked">{messages.linkedFrom()}</Tabs.Tab>
          )}
          {abilities.history && <Tabs.Tab value="history">{messages.history()}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="fields" className={classes.scroll ?? ""}>
          <div className={classes.form}>
            {fields.map((field) => (
              <RecordField
                key={field.name}
                table={table}
                field={field}
                abilities={abilities}
                record={record}
              />
            ))}
          </div>
        </Tabs.Panel>
        {!isDraft && (
          <Tabs.Panel value="comments" className={classes.scroll ?? ""}>
            <CommentsTab
              table={table}
              record={record.id}
              comments={comments}
              canWrite={abilities.comment && !deleted}
            />
          </Tabs.Panel>
        )}
        {sources.length > 0 && !isDraft && (
          <Tabs.Panel value="linked" className={classes.scroll ?? ""}>
            <LinkedFromTab sources={sources} record={record.id} />
          </Tabs.Panel>
        )}
        {abilities.history && (
          <Tabs.Panel value="history" className={classes.scroll ?? ""}>
            <HistoryList table={table} abilities={abilities} record={record} />
          </Tabs.Panel>
        )}
      </Tabs>
    </>
  );
}

/** The link fields that point to a table, as far as the user can read them. */
function useLinkSources(target: string): LinkSource[] {
  const { tables: readable } = useAbilities();
  return useModel().tables.flatMap((table) =>
    table.fields
      .filter((field) => field.type === "link" && field.target === target)
      .filter(({ name }) => readable[table.name]?.fields.includes(name))
      .map((field) => ({ table, field })),
  );
}

/** The open tab. An address that ends in `#comments` opens the comments; choosing another tab removes that. */
function useTab(first: string): [string, (tab: string | null) => void] {
  const [tab, setTab] = useState(first);
  const hash = useLocationProperty(() => location.hash);
  useEffect(() => {
    if (hash === COMMENTS_HASH) setTab("comments");
  }, [hash]);
  const choose = (next: string | null) => {
    if (next !== "comments" && location.hash === COMMENTS_HASH) {
      history.replaceState(history.state, "", `${location.pathname}${location.search}`);
    }
    setTab(next ?? first);
  };
  return [tab, choose];
}

/** How many comments there are, marked if some are unread. */
function CommentCount({ comments: { items, hasEarlier } }: { comments: CommentThread }) {
  if (!items?.length) return null;
  const unread = items.filter((one) => one.unread).length;
  return (
    <span className={classes.count} data-unread={unread > 0 || undefined}>
      {hasEarlier ? `${items.length}+` : items.length}
      {unread > 0 && (
        <span className="wf-visually-hidden">
          {", "}
          {commentMessages.unreadCount({ count: unread })}
        </span>
      )}
    </span>
  );
}

function Deleted({ table, record }: { table: Table; record: RecordView }) {
  const restore = () => {
    restoreRecord(table.name, record.id).catch(toastProblem);
  };
  return (
    <div className={classes.banner} role="status">
      {record.markedBy
        ? messages.deletedBy({ record: table.recordLabel, author: record.markedBy })
        : messages.deleted({ record: table.recordLabel })}
      <Button size="compact-sm" variant="default" onClick={restore}>
        {messages.restoreRecord()}
      </Button>
    </div>
  );
}

/** The fields that a draft still needs, and a button to discard it. */
function DraftNote({ table, record }: { table: Table; record: RecordView }) {
  const needed = neededFields(table, record.values).map(({ label }) => label);
  const discard = () => {
    const restore = pageCore().edits.discard(table.name, record.id);
    toast(messages.draftDiscarded(), restore);
  };
  return (
    <div className={classes.banner} role="status">
      {needed.length > 0
        ? messages.draftNeeds({ fields: formatList(needed), record: table.recordLabel })
        : messages.draftEmpty()}
      <Button size="compact-sm" variant="default" onClick={discard}>
        {messages.discardDraft()}
      </Button>
    </div>
  );
}

function Problem({ record }: { record: RecordView }) {
  const { problem } = record;
  if (!problem) return null;
  const { edits } = pageCore();
  return (
    <div className={classes.banner} data-tone="bad" role="status">
      {problem.message}
      <Button size="compact-sm" variant="default" onClick={() => edits.retry(problem.edit)}>
        {messages.tryAgain()}
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={() => edits.drop(problem.edit)}>
        {messages.discard()}
      </Button>
    </div>
  );
}
