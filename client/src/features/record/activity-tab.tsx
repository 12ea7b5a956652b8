import { Box, SegmentedControl, Stack } from "@mantine/core";
import type { Table } from "../../../../shared/model/model.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";
import { commentMessages } from "../../messages/en/comments.ts";
import { recordMessages as messages } from "../../messages/en/record.ts";
import type { RecordView } from "../../state/record-view.ts";
import { Hint } from "../../ui/texts.ts";
import { CommentsTab } from "./comments/comments-tab.tsx";
import type { CommentThread } from "./comments/use-comments.ts";
import { HistoryItem } from "./history/history-item.tsx";
import { HistoryList } from "./history/history-list.tsx";
import type { HistoryState } from "./history/use-history.ts";
import classes from "./record.module.css";

/** What the activity of a record shows: everything in the order of time, or one of both. */
export type Stream = "all" | "comments" | "history";

interface Props {
  table: Table;
  abilities: TableAbilities;
  record: RecordView;
  comments: CommentThread;
  history: HistoryState;
  /** The streams that there are: a new record has no comments, and not every role sees the history. */
  streams: readonly Stream[];
  stream: Stream;
  onStream(stream: Stream): void;
  canWrite: boolean;
}

/** What was said of a record and what was done to it. */
export function ActivityTab({ streams, stream, onStream, history, ...of }: Props) {
  const { table, record, comments, canWrite } = of;
  const entries = history.kind === "shown" ? history.entries : [];
  return (
    <Stack gap={0} h="100%" mih={0}>
      {streams.length > 1 && (
        <Box flex="none" px={16} pt={12}>
          <SegmentedControl
            size="xs"
            aria-label={messages.activity()}
            value={stream}
            onChange={(value) => onStream(value as Stream)}
            data={streams.map((value) => ({ value, label: streamLabels[value]() }))}
          />
        </Box>
      )}
      {stream === "all" && history.kind === "failed" && (
        <Hint flex="none" px={16} pt={12}>
          {history.message}
        </Hint>
      )}
      {stream === "history" ? (
        <div className={classes.scroll}>
          <HistoryList {...of} history={history} />
        </div>
      ) : (
        <CommentsTab
          key={stream}
          {...{ table, comments, canWrite }}
          record={record.id}
          between={
            stream === "all"
              ? entries.map((entry, index) => ({
                  at: entry.at,
                  item: (
                    <HistoryItem
                      key={entry.seq}
                      entry={entry}
                      table={table}
                      abilities={of.abilities}
                      record={record}
                      newer={entries.slice(0, index)}
                    />
                  ),
                }))
              : []
          }
        />
      )}
    </Stack>
  );
}

const streamLabels: Record<Stream, () => string> = {
  all: () => messages.allActivity(),
  comments: () => commentMessages.comments(),
  history: () => messages.history(),
};
