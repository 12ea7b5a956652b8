import { Button, Stack } from "@mantine/core";
import { IconMessages } from "@tabler/icons-react";
import { type ReactElement, useEffect, useLayoutEffect, useRef } from "react";
import type { Table } from "../../../../../shared/model/model.ts";
import type { CommentInfo, CreateCommentCall } from "../../../../../shared/protocol/comments.ts";
import { Refusal } from "../../../../../shared/protocol/errors.ts";
import { commentMessages as messages } from "../../../messages/en/comments.ts";
import { shownThreadAtom } from "../../../state/shown-thread.ts";
import { store } from "../../../state/store.ts";
import { newId } from "../../../sync/new-id.ts";
import { rest } from "../../../transport/rest/rest.ts";
import { Notice } from "../../../ui/notice.tsx";
import { Hint } from "../../../ui/texts.ts";
import { Waiting } from "../waiting.tsx";
import { CommentEditor } from "./comment-editor.tsx";
import { CommentItem } from "./comment-item.tsx";
import classes from "./comments.module.css";
import { type CommentThread, useRead } from "./use-comments.ts";
import { type Thread, useDraft } from "./use-draft.ts";

/** The end of the list is in view if no more than this is below it. */
const AT_END_PX = 120;

interface Props {
  table: Table;
  record: string;
  comments: CommentThread;
  /** Whether the user may comment on the record. */
  canWrite: boolean;
  /** What is shown between the comments, at its time, newest first. */
  between: readonly Between[];
}

/** Something else that happened at a time. */
interface Between {
  at: string;
  item: ReactElement;
}

/** The comments on a record, oldest first, with what happened between them, and an input for another one. */
export function CommentsTab({ table, record, comments, canWrite, between }: Props) {
  const { items, problem, reload } = comments;
  const draftLabel = messages.draftLabel({ table: table.label });
  const fresh = useRead(items ?? []);
  const list = useEndInView(`${items?.at(-1)?.id} ${between[0]?.at}`);
  useEffect(() => {
    const shown = { table: table.name, record };
    store.set(shownThreadAtom, shown);
    return () => {
      if (store.get(shownThreadAtom) === shown) store.set(shownThreadAtom, null);
    };
  }, [table.name, record]);
  return (
    <Stack gap={0} h="100%" mih={0}>
      <div ref={list} className={classes.list}>
        {problem && <Hint p={16}>{problem}</Hint>}
        {!items && !problem && <Waiting label={messages.loading()} />}
        {comments.hasEarlier && (
          <Button variant="default" size="compact-sm" mb="sm" onClick={comments.showEarlier}>
            {messages.showEarlier()}
          </Button>
        )}
        {items?.length === 0 && between.length === 0 && (
          <Notice
            icon={IconMessages}
            title={messages.none()}
            text={canWrite ? messages.noneText({ record: table.recordLabel }) : messages.readOnly()}
          />
        )}
        <div role="log" aria-label={messages.comments()}>
          <Stack component="ol" gap={14}>
            {inOrder(comments, between, (comment) => (
              <CommentItem
                key={comment.id}
                comment={comment}
                draftLabel={draftLabel}
                isFresh={fresh.has(comment.id)}
                canWrite={canWrite}
                onChanged={reload}
              />
            ))}
          </Stack>
        </div>
      </div>
      {canWrite && (
        <Composer thread={{ table: table.name, record }} label={draftLabel} onSent={reload} />
      )}
    </Stack>
  );
}

/** Comments and what happened between them, oldest first. What is older than the first comment that is loaded waits until those before it are. */
function inOrder(
  { items, hasEarlier }: CommentThread,
  between: readonly Between[],
  draw: (comment: CommentInfo) => ReactElement,
): ReactElement[] {
  if (!items) return [];
  const since = hasEarlier ? Date.parse(items[0]?.at ?? "") : Number.NEGATIVE_INFINITY;
  const comments = items.map((comment) => ({ at: comment.at, item: draw(comment) }));
  return [...between.toReversed().filter(({ at }) => Date.parse(at) >= since), ...comments]
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
    .map(({ item }) => item);
}

function Composer({ onSent, ...place }: { thread: Thread; label: string; onSent(): void }) {
  const draft = useDraft(place);
  return (
    <div className={classes.composer}>
      <CommentEditor
        thread={place.thread}
        draft={draft}
        label={messages.write()}
        sendLabel={messages.send()}
        onSend={async (text, id) => {
          await sendOnce({ ...place.thread, text }, id);
          onSent();
        }}
      />
    </div>
  );
}

/**
 * A repeat under the same id is stored once. If the id was used for other content, the text was stored as it was before its
 * author went on typing: this one is another comment.
 */
async function sendOnce(call: CreateCommentCall, id: string): Promise<void> {
  const send = (under: string) => rest("POST /comments", { body: { ...call, id: under } });
  await send(id).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === "mutation_mismatch") return send(newId());
    throw error;
  });
}

/** Follows the newest comment, unless the user has scrolled up to read earlier ones. */
function useEndInView(newest: string | undefined) {
  const list = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const element = list.current;
    const note = () => {
      const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = element ?? {};
      isAtEnd.current = scrollHeight - scrollTop - clientHeight < AT_END_PX;
    };
    element?.addEventListener("scroll", note);
    return () => element?.removeEventListener("scroll", note);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new comment is the reason to scroll.
  useLayoutEffect(() => {
    if (isAtEnd.current) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [newest]);
  return list;
}
