import { Menu } from "@mantine/core";
import type { CommentInfo } from "../../../../../shared/protocol/comments.ts";
import { commentMessages as messages } from "../../../messages/en/comments.ts";
import { commentAuthor } from "../../../records/comments/comment-text.tsx";
import { useAbilities, useMe } from "../../../state/use-account.ts";
import { rest } from "../../../transport/rest/rest.ts";
import { ActionsMenu } from "../../../ui/actions-menu.tsx";
import { toast, toastProblem } from "../../../ui/toast.tsx";

interface Props {
  comment: CommentInfo;
  /** Whether the user may comment on the record. */
  canWrite: boolean;
  onEdit(): void;
  onChanged(): void;
}

/** Edit and delete, for the author; delete also for users with the right `activity`. */
export function CommentMenu({ comment, canWrite, onEdit, onChanged }: Props) {
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
    <ActionsMenu label={messages.more({ user: commentAuthor(comment) })} size={26}>
      {isOwn && <Menu.Item onClick={onEdit}>{messages.edit()}</Menu.Item>}
      <Menu.Item color="var(--wf-bad)" onClick={remove}>
        {messages.delete()}
      </Menu.Item>
    </ActionsMenu>
  );
}
