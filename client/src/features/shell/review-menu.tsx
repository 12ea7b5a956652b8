import { ActionIcon, Button, Popover, Tooltip } from "@mantine/core";
import { IconAlertTriangle, IconCopy, IconPencil, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "wouter";
import { findField, findTable, type Model } from "../../../../shared/model/model.ts";
import type { EditIssue } from "../../state/edit-issues.ts";
import { store } from "../../state/store.ts";
import { tableAtom } from "../../state/table-state.ts";
import type { UnsavedText } from "../../state/unsaved-texts.ts";
import { useModel } from "../../state/use-account.ts";
import { useEditIssues } from "../../state/use-edit-issues.ts";
import { useUnsavedTexts } from "../../state/use-unsaved-texts.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { copyText } from "../../ui/copy-text.ts";
import { recordAddress } from "../../ui/record-address.ts";
import classes from "./review-menu.module.css";

/** Counts my edits that wait for a decision, wherever their records are shown, and leads to each of them. */
export function ReviewMenu() {
  const issues = useEditIssues();
  const texts = useUnsavedTexts();
  const [opened, setOpened] = useState(false);
  const urgent = issues.filter(({ kind }) => kind !== "draft").length + texts.length;
  const drafts = issues.length + texts.length - urgent;
  if (urgent + drafts === 0) return null;
  const draftsLabel = drafts === 1 ? "1 draft" : `${drafts} drafts`;
  const label = urgent > 0 ? `${urgent} to review` : draftsLabel;
  const Icon = urgent > 0 ? IconAlertTriangle : IconPencil;
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width={380}
      trapFocus
      shadow="md"
    >
      <Popover.Target>
        <button
          type="button"
          className={classes.pill}
          data-tone={urgent > 0 ? "warn" : undefined}
          aria-label={urgent > 0 ? `${label}: edits that need a decision` : label}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          <Icon size={14} stroke={2} aria-hidden="true" />
          <span role="status">{label}</span>
        </button>
      </Popover.Target>
      <Popover.Dropdown className={classes.list ?? ""} aria-label="Edits to review">
        <ul>
          {issues.map((issue) => (
            <Issue
              key={`${issue.edit.mutation} ${issue.edit.index}`}
              issue={issue}
              onLeave={() => setOpened(false)}
            />
          ))}
          {texts.map((text) => (
            <Text
              key={`${text.table} ${text.record} ${text.field}`}
              text={text}
              onLeave={() => setOpened(false)}
            />
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}

function Issue({ issue, onLeave }: { issue: EditIssue; onLeave(): void }) {
  const { table, record, kind, message } = issue;
  return (
    <li className={classes.item}>
      <div className={classes.words}>
        <strong dir="auto">{titleOf(useModel(), issue)}</strong>
        <span>{kind === "rejected" ? message : explanations[kind]}</span>
      </div>
      <Button
        component={Link}
        href={recordAddress(table, record)}
        size="compact-sm"
        variant="default"
        onClick={onLeave}
      >
        Review
      </Button>
      {kind === "rejected" && (
        <Tooltip label="Discard the edit">
          <ActionIcon
            size={30}
            aria-label="Discard the edit"
            onClick={() => pageCore().edits.drop(issue.edit)}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  );
}

const explanations = {
  conflict: "Someone else changed the same field. Choose which value stays.",
  draft: "Not created yet: a required field is empty. Only you can see it.",
};

function Text({ text, onLeave }: { text: UnsavedText; onLeave(): void }) {
  const copy = () => void copyText(text.text, "Text copied.");
  return (
    <li className={classes.item}>
      <div className={classes.words}>
        <strong dir="auto">
          <Link href={recordAddress(text.table, text.record)} onClick={onLeave}>
            {text.label}
          </Link>
        </strong>
        <span>Not saved. {text.reason}</span>
        <q dir="auto" className={classes.text}>
          {text.text}
        </q>
      </div>
      <Tooltip label="Copy the text">
        <ActionIcon size={30} aria-label="Copy the text" onClick={copy}>
          <IconCopy size={16} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Discard the text">
        <ActionIcon
          size={30}
          aria-label="Discard the text"
          onClick={() => pageCore().texts.discard(text)}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </Tooltip>
    </li>
  );
}

/** What record and fields are called, as far as this page knows them. */
function titleOf(model: Model, { table: name, record, fields, kind }: EditIssue): string {
  const table = findTable(model, name);
  const values = store.get(tableAtom(name)).get(record)?.values;
  const title = values?.[table?.display ?? ""] ?? values?.[table?.fields[0]?.name ?? ""];
  const recordName = typeof title === "string" && title !== "" ? title : record;
  const text = Object.values(values ?? {}).find((value) => typeof value === "string");
  const newRecordTitle = `New ${table?.recordLabel ?? name}${text ? ` · ${text}` : ""}`;
  const subject = kind === "draft" && recordName === record ? newRecordTitle : recordName;
  const labels = fields.map((field) => (table && findField(table, field)?.label) ?? field);
  return labels.length > 0 ? `${subject} · ${labels.join(", ")}` : subject;
}
