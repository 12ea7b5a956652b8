import { ActionIcon, Popover, Tooltip } from "@mantine/core";
import { IconAt } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { findTable } from "../../../../shared/model/model.ts";
import type { CommentInfo } from "../../../../shared/protocol/comments.ts";
import { commentMessages as messages } from "../../messages/en/comments.ts";
import { richText } from "../../messages/rich-text.tsx";
import { recordName } from "../../records/change-sets/record-name.ts";
import { commentsAddress } from "../../records/comments/comment-place.ts";
import { CommentText, commentAuthor } from "../../records/comments/comment-text.tsx";
import { useLabelUpdates } from "../../records/fields/use-label-updates.ts";
import { LabelText } from "../../records/fields/value-mark.tsx";
import { trailState } from "../../records/record-trail.ts";
import { shownThreadAtom } from "../../state/shown-thread.ts";
import { store } from "../../state/store.ts";
import { useModel } from "../../state/use-account.ts";
import { pageLabels } from "../../sync/page/page-labels.ts";
import { rest } from "../../transport/rest/rest.ts";
import { Ago } from "../../ui/ago.tsx";
import { AuthorMark } from "../../ui/author-mark.tsx";
import { CountMark } from "../../ui/count-mark.ts";
import { Tag } from "../../ui/tag.tsx";
import { toast } from "../../ui/toast.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import classes from "./mentions-menu.module.css";
import list from "./popover-list.module.css";

const LISTED = 20;

/** The newest comments that mention the user, with a count of those not read yet. */
export function MentionsMenu() {
  const [opened, setOpened] = useState(false);
  const mine = () => rest("GET /comments", { query: { mentioned: "true", limit: LISTED } });
  const items = useRemote(mine, { on: ["mentions"] }).data?.items ?? null;
  const unread = items?.filter((one) => one.unread) ?? [];
  useNewMentions(items && unread);
  const label = unread.length > 0 ? messages.mentionsUnread({ count: unread.length }) : "";
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
        <Tooltip label={messages.mentions()} disabled={opened}>
          <ActionIcon
            size={28}
            pos="relative"
            style={{ overflow: "visible" }}
            aria-label={label || messages.mentions()}
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            <IconAt size={18} stroke={1.7} aria-hidden="true" />
            {unread.length > 0 && (
              <CountMark
                pos="absolute"
                top={-1}
                right={-3}
                miw={15}
                fz="var(--wf-font-11)"
                lh="15px"
                aria-hidden="true"
              >
                {unread.length}
              </CountMark>
            )}
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p={0} className={list.list ?? ""} aria-label={messages.mentions()}>
        {items?.length ? (
          <ul>
            {items.map((comment) => (
              <Mention
                key={comment.id}
                comment={comment}
                trail={trailState(items)}
                onLeave={() => setOpened(false)}
              />
            ))}
          </ul>
        ) : (
          <div className={classes.none} tabIndex={-1} data-autofocus>
            <strong>{messages.noMentions()}</strong>
            <p>{messages.noMentionsText()}</p>
          </div>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

interface MentionProps {
  comment: CommentInfo;
  /** The records of all of them. */
  trail: ReturnType<typeof trailState>;
  onLeave(): void;
}

function Mention({ comment, trail, onLeave }: MentionProps) {
  const labels = pageLabels();
  useLabelUpdates();
  const { author, table: name, record, text, mentions, at, unread } = comment;
  const table = findTable(useModel(), name);
  const title = table ? recordName(table, record, [], labels) : record;
  return (
    <li className={`${list.item} ${classes.item}`} data-unread={unread || undefined}>
      <AuthorMark by={author} colour={author.colour || undefined} />
      <div className={classes.body}>
        <p className={classes.head}>
          {richText(messages.mentioned(), {
            author: () => <strong dir="auto">{commentAuthor(comment)}</strong>,
            title: () => (
              <Link dir="auto" href={commentsAddress(name, record)} state={trail} onClick={onLeave}>
                <LabelText text={title} />
              </Link>
            ),
          })}
          {unread && (
            <Tag tone="good" ms={8}>
              {messages.new()}
            </Tag>
          )}
        </p>
        <div className={list.excerpt}>
          <CommentText text={text} mentions={mentions} />
        </div>
        <Ago at={at} />
      </div>
    </li>
  );
}

/** Announces mentions that arrive while the page is open. */
function useNewMentions(unread: readonly CommentInfo[] | null): void {
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (unread === null) return;
    const before = known.current;
    known.current = new Set([...(before ?? []), ...unread.map(({ id }) => id)]);
    const added = before && unread.find(({ id }) => !before.has(id));
    // Where the comments of the record are open, the new one is in view, and a toast would cover the input below it.
    const shown = store.get(shownThreadAtom);
    const isShown = shown?.table === added?.table && shown?.record === added?.record;
    if (added && !isShown) toast(messages.mentionedYou({ user: commentAuthor(added) }));
  }, [unread]);
}
