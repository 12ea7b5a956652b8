import { Button, Stack } from "@mantine/core";
import { IconMessages } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "wouter";
import { findTable } from "../../../../shared/model/model.ts";
import type { CommentInfo } from "../../../../shared/protocol/comments.ts";
import { activityMessages } from "../../messages/en/activity.ts";
import { commentMessages as messages } from "../../messages/en/comments.ts";
import { richText } from "../../messages/rich-text.tsx";
import { recordName } from "../../records/change-sets/record-name.ts";
import { commentsAddress } from "../../records/comments/comment-place.ts";
import { CommentText, commentAuthor } from "../../records/comments/comment-text.tsx";
import { LabelText } from "../../records/fields/value-mark.tsx";
import { trailState } from "../../records/record-trail.ts";
import { useModel } from "../../state/use-account.ts";
import { pageLabels } from "../../sync/page/page-labels.ts";
import { rest } from "../../transport/rest/rest.ts";
import { Ago } from "../../ui/ago.tsx";
import { AuthorMark } from "../../ui/author-mark.tsx";
import { FormProblem } from "../../ui/form-problem.tsx";
import { Notice } from "../../ui/notice.tsx";
import frame from "../../ui/rows.module.css";
import { ScreenSkeleton } from "../../ui/screen-skeleton.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import { useRepeat } from "../../ui/use-repeat.ts";
import classes from "./activity.module.css";
import { type ActivityFilter, spanOf } from "./activity-filter.ts";
import { dayLabel } from "./activity-labels.ts";

const PAGE_COMMENTS = 50;
const MAX_COMMENTS = 1_000;
/** Notices of comments are sent for followed tables only. */
const REFRESH_MS = 30_000;

/** The comments that match, on records that the user can read now, newest first under their days. */
export function CommentTimeline({ filter }: { filter: ActivityFilter }) {
  const [limit, setLimit] = useState(PAGE_COMMENTS);
  const { table, record, user, search } = filter;
  const read = () =>
    rest("GET /comments", {
      query: {
        table: table || undefined,
        record: (table && record) || undefined,
        by: user || undefined,
        search: search || undefined,
        ...spanOf(filter, Date.now()),
        limit,
      },
    });
  const key = JSON.stringify([filter, limit]);
  const { data, problem, reload } = useRemote(read, { on: ["comment"], key });
  useRepeat(reload, REFRESH_MS);
  if (!data) return problem ? <FormProblem problem={problem} focus={false} /> : <ScreenSkeleton />;
  if (data.items.length === 0 && data.next === null) {
    return (
      <Notice icon={IconMessages} title={messages.noneFound()} text={messages.noneFoundText()} />
    );
  }
  const trail = trailState(data.items);
  const days = Map.groupBy(data.items, ({ at }) => dayLabel(at));
  return (
    <section aria-label={activityMessages.list()}>
      {[...days].map(([day, items]) => (
        <div key={day} className={classes.day}>
          <h2>{day}</h2>
          <ol className={frame.rows}>
            {items.map((comment) => (
              <CommentRow key={comment.id} comment={comment} trail={trail} />
            ))}
          </ol>
        </div>
      ))}
      {data.next !== null && limit < MAX_COMMENTS && (
        <Button variant="default" mt="md" onClick={() => setLimit(limit + PAGE_COMMENTS)}>
          {messages.showEarlier()}
        </Button>
      )}
    </section>
  );
}

interface RowProps {
  comment: CommentInfo;
  /** The records of all comments. */
  trail: ReturnType<typeof trailState>;
}

function CommentRow({ comment, trail }: RowProps) {
  const { author, table: name, record, text, mentions, at } = comment;
  const table = findTable(useModel(), name);
  const title = table ? recordName(table, record, [], pageLabels()) : record;
  return (
    <li className={classes.row}>
      <AuthorMark by={author} colour={author.colour || undefined} />
      <Stack gap={3} flex="1" miw={0}>
        <p className={classes.text}>
          {richText(messages.commented(), {
            author: () => <strong dir="auto">{commentAuthor(comment)}</strong>,
            title: () => (
              <Link
                className={classes.record}
                dir="auto"
                href={commentsAddress(name, record)}
                state={trail}
              >
                <LabelText text={title} />
              </Link>
            ),
          })}
        </p>
        <p className={classes.about}>
          <Ago at={at} />
          <span>{table?.label}</span>
        </p>
        <CommentText text={text} mentions={mentions} />
      </Stack>
    </li>
  );
}
