import { Button, Group } from "@mantine/core";
import { IconAlertTriangle, IconCopy, IconPencil, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { displayText } from "../../../../shared/model/display-text.ts";
import { findField, findTable, type Model } from "../../../../shared/model/model.ts";
import { shellMessages as messages } from "../../messages/en/shell.ts";
import { valueMessages } from "../../messages/en/values.ts";
import { COMMENTS_HASH, isCommentPlace } from "../../records/comments/comment-place.ts";
import { recordAddressFrom } from "../../records/record-address.ts";
import { trailState } from "../../records/record-trail.ts";
import type { EditIssue } from "../../state/edit-issues.ts";
import { editIssuesAtom } from "../../state/edit-issues.ts";
import { store } from "../../state/store.ts";
import { tableAtom } from "../../state/table-state.ts";
import type { UnsavedText } from "../../state/unsaved-texts.ts";
import { isWallboardTextPlace, unsavedTextsAtom } from "../../state/unsaved-texts.ts";
import { useModel } from "../../state/use-account.ts";
import { useAtom } from "../../state/use-atom.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { copyText } from "../../ui/copy-text.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { TitledPopover } from "../../ui/titled-popover.tsx";
import pill from "./pill.module.css";
import list from "./popover-list.module.css";
import classes from "./review-menu.module.css";

/** Counts the user's edits that need a decision, in any table, and links to each of them. */
export function ReviewMenu() {
  const issues = useAtom(editIssuesAtom);
  const texts = useAtom(unsavedTextsAtom);
  // The list ends with its last edit: it must not open by itself, and take the focus, when there is another one.
  return issues.length + texts.length > 0 && <ReviewList issues={issues} texts={texts} />;
}

function ReviewList(props: { issues: readonly EditIssue[]; texts: readonly UnsavedText[] }) {
  // Its links lead on from where the page is.
  useLocation();
  useSearch();
  const { issues, texts } = props;
  const [opened, setOpened] = useState(false);
  const urgent = issues.filter(({ kind }) => kind !== "draft").length + texts.length;
  const drafts = issues.length + texts.length - urgent;
  const label =
    urgent > 0 ? messages.toReview({ count: urgent }) : messages.drafts({ count: drafts });
  const trail = trailState([...issues, ...texts.filter((text) => !isWallboardTextPlace(text))]);
  const Icon = urgent > 0 ? IconAlertTriangle : IconPencil;
  return (
    <TitledPopover
      opened={opened}
      onOpened={setOpened}
      position="bottom-end"
      wide
      title={messages.editsToReview()}
      aria-label={messages.editsToReview()}
      className={list.list ?? ""}
      target={
        <button
          type="button"
          className={pill.pill}
          data-tone={urgent > 0 ? "warn" : undefined}
          aria-label={urgent > 0 ? messages.toReviewLabel({ count: urgent }) : label}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          <Icon size={14} stroke={2} aria-hidden="true" />
          <span role="status">{label}</span>
        </button>
      }
    >
      <ul>
        {issues.map((issue) => (
          <Issue
            key={`${issue.edit.mutation} ${issue.edit.index}`}
            issue={issue}
            trail={trail}
            onLeave={() => setOpened(false)}
          />
        ))}
        {texts.map((text) => (
          <Text key={text.id} text={text} trail={trail} onLeave={() => setOpened(false)} />
        ))}
      </ul>
    </TitledPopover>
  );
}

interface ItemProps {
  /** The records of all items. */
  trail: ReturnType<typeof trailState>;
  onLeave(): void;
}

function Issue({ issue, trail, onLeave }: ItemProps & { issue: EditIssue }) {
  const { table, record, kind, message, author } = issue;
  return (
    <Group component="li" gap={8} align="flex-start" wrap="nowrap" className={list.item ?? ""}>
      <div className={classes.text}>
        <strong dir="auto">{titleOf(useModel(), issue)}</strong>
        <span>{kind === "rejected" ? message : explanations[kind](author)}</span>
      </div>
      <Button
        renderRoot={(props) => (
          <Link {...props} href={recordAddressFrom(location, table, record)} state={trail} />
        )}
        size="compact-sm"
        variant="default"
        onClick={onLeave}
      >
        {messages.review()}
      </Button>
      {kind === "rejected" && (
        <IconButton
          label={messages.discardEdit()}
          size={28}
          onClick={() => pageCore().edits.drop(issue.edit)}
        >
          <IconTrash size={16} />
        </IconButton>
      )}
    </Group>
  );
}

const explanations = {
  conflict: (author: string | null) =>
    messages.conflictText({ author: author ?? valueMessages.someoneElse() }),
  draft: () => messages.draftText(),
};

function Text({ text, trail, onLeave }: ItemProps & { text: UnsavedText }) {
  const copy = () => void copyText(text.text, messages.textCopied());
  return (
    <Group component="li" gap={8} align="flex-start" wrap="nowrap" className={list.item ?? ""}>
      <div className={classes.text}>
        <strong dir="auto">
          <Link href={addressOf(text)} state={trail} onClick={onLeave}>
            {labelOf(useModel(), text)}
          </Link>
        </strong>
        <span>{messages.notSaved({ reason: text.reason })}</span>
        <q dir="auto" className={list.excerpt}>
          {text.text}
        </q>
      </div>
      <IconButton label={messages.copyText()} size={28} onClick={copy}>
        <IconCopy size={16} />
      </IconButton>
      <IconButton
        label={messages.discardText()}
        size={28}
        onClick={() => pageCore().texts.discard(text.id)}
      >
        <IconTrash size={16} />
      </IconButton>
    </Group>
  );
}

/** What record and field are called now, or were when the text was typed, if they are gone. */
function labelOf(model: Model, text: UnsavedText): string {
  const { table: name, record, field, label } = text;
  const table = findTable(model, name);
  const known = table && findField(table, field);
  const place = known ? `${table.label} · ${known.label}` : label;
  if (isWallboardTextPlace(text)) return place;
  const view = store.get(tableAtom(name)).get(record);
  const isNew = view?.pending === "draft" || view?.pending === "create";
  const id = isNew ? messages.newRecord({ record: table?.recordLabel ?? name }) : record;
  return `${(table && displayText(table, view?.values)) ?? text.name ?? id} · ${place}`;
}

function addressOf(text: UnsavedText): string {
  const { table, record, field } = text;
  if (isWallboardTextPlace(text)) return `/wallboards/${encodeURIComponent(record)}`;
  const address = recordAddressFrom(location, table, record);
  return isCommentPlace(field) ? `${address}${COMMENTS_HASH}` : address;
}

/** The labels of record and fields, as far as they are loaded. */
function titleOf(model: Model, { table: name, record, fields, kind }: EditIssue): string {
  const table = findTable(model, name);
  const values = store.get(tableAtom(name)).get(record)?.values;
  const title = values?.[table?.display ?? ""] ?? values?.[table?.fields[0]?.name ?? ""];
  const recordName = typeof title === "string" && title !== "" ? title : record;
  const text = Object.values(values ?? {}).find((value) => typeof value === "string");
  const newRecord = messages.newRecord({ record: table?.recordLabel ?? name });
  const newRecordTitle = text ? `${newRecord} · ${text}` : newRecord;
  const subject = kind === "draft" && recordName === record ? newRecordTitle : recordName;
  const labels = fields.map((field) => (table && findField(table, field)?.label) ?? field);
  return labels.length > 0 ? `${subject} · ${labels.join(", ")}` : subject;
}
