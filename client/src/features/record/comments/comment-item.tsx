import { Button, Group, Menu } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { useState } from "react";
import type { CommentInfo } from "../../../../../shared/protocol/comments.ts";
import { commentMessages as messages } from "../../../messages/en/comments.ts";
import { CommentText, commentAuthor } from "../../../records/comments/comment-text.tsx";
import { toTyped } from "../../../records/comments/mention-text.ts";
import { useAbilities, useMe } from "../../../state/use-account.ts";
import { rest } from "../../../transport/rest/rest.ts";
import { ActionsMenu } from "../../../ui/actions-menu.tsx";
import { Ago } from "../../../ui/ago.tsx";
import { AuthorMark } from "../../../ui/author-mark.tsx";
import { formatMoment } from "../../../ui/numbers.ts";
import { Tag } from "../../../ui/tag.tsx";
import { toast, toastProblem } from "../../../ui/toast.tsx";
import { CommentEditor } from "./comment-editor.tsx";
import classes from "./comments.module.css";
import { useDraft } from "./use-draft.ts";

interface Props {
  comment: CommentInfo;
  draftLabel: string;
  /** It was unread when it was first shown. */
  isFresh: boolean;
  /** Whether the user may comment on the record. */
  canWrite: boolean;
  onChanged(): void;
}

/** One comment: who, when, the text, and what the user can do with it. */
export function CommentItem({ comment, draftLabel, isFresh, canWrite, onChanged }: Props) {
  const [isEditing, setEditing] = useState(false);
  const { id, author, resolved, edited, at } = comment;
  const toggle = () => {
    rest("PATCH /comments/{id}", { params: { id }, body: { resolved: !resolved } }).then(
      onChanged,
      toastProblem,
    );
  };
  const stop = () => setEditing(false);
  return (
    <li className={classes.comment} data-resolved={resolved !== null || undefined}>
      <AuthorMark by={author} colour={author.colour || undefined} />
      <div className={classes.body}>
        <p className={classes.head}>
          <strong dir="auto">{commentAuthor(comment)}</strong>
          <Ago at={at} />
          {edited && <span title={formatMoment(edited)}>{messages.edited()}</span>}
          {isFresh && <Tag tone="good">{messages.new()}</Tag>}
        </p>
        {isEditing ? (
          <EditForm {...{ comment, draftLabel, onChanged }} onDone={stop} />
        ) : (
          <CommentText text={comment.text} mentions={comment.mentions} />
        )}
        {resolved && (
          <Group
            component="p"
            gap={4}
            wrap="nowrap"
            mt={4}
            c="var(--wf-live)"
            fz="xs"
            title={formatMoment(resolved.at)}
          >
            <IconCircleCheck size={14} aria-hidden="true" />
            {messages.resolved({ user: resolved.by.name })}
          </Group>
        )}
        {canWrite && !isEditing && (
          <Button variant="subtle" size="compact-xs" m="2px 0 0 -8px" onClick={toggle}>
            {resolved ? messages.reopen() : messages.resolve()}
          </Button>
        )}
      </div>
      <CommentMenu {...{ comment, canWrite, onChanged }} onEdit={() => setEditing(true)} />
    </li>
  );
}

function EditForm(props: {
  comment: CommentInfo;
  draftLabel: string;
  onChanged(): void;
  onDone(): void;
}) {
  const { comment, draftLabel: label, onChanged, onDone } = props;
  const { id, table, record, text, mentions } = comment;
  const thread = { table, record };
  const edited = { id, text: toTyped(text, mentions), mentions };
  const draft = useDraft({ thread, label, edited });
  return (
    <CommentEditor
      thread={thread}
      draft={draft}
      label={messages.editing()}
      sendLabel={messages.save()}
      autoFocus
      onSend={async (next) => {
        await rest("PATCH /comments/{id}", { params: { id }, body: { text: next } });
        onChanged();
      }}
      onSent={onDone}
      onCancel={() => {
        draft.clear();
        onDone();
      }}
    />
  );
}

interface CommentMenuProps {
  comment: CommentInfo;
  /** Whether the user may comment on the record. */
  canWrite: boolean;
  onEdit(): void;
  onChanged(): void;
}

/** Edit and delete, for the author; delete also for users with the right `activity`. */
function CommentMenu({ comment, canWrite, onEdit, onChanged }: CommentMenuProps) {
  const me = useMe();
  const { rights } = useAbilities();
  const { author, id } = comment;
  const isOwn = canWrite && author.kind === "user" && author.id === me.id;
  if (!isOwn && !rights.includes("activity")) return null;
  const restore = () => {
    rest("POST /comments/{id}/restore", { params: { id } }).then(onChanged, toastProblem);
  };
  const remove = () => {
    rest("DELETE /comments/{id}", { params: { id } }).then(() => {
      onChanged();
      toast(messages.deleted(), restore);
    }, toastProblem);
  };
  return (
    <ActionsMenu label={messages.more({ user: commentAuthor(comment) })} size={24}>
      {isOwn && <Menu.Item onClick={onEdit}>{messages.edit()}</Menu.Item>}
      <Menu.Item color="var(--wf-bad)" onClick={remove}>
        {messages.delete()}
      </Menu.Item>
    </ActionsMenu>
  );
}
