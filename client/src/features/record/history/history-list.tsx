import { Box } from "@mantine/core";
import { Link } from "wouter";
import type { Table } from "../../../../../shared/model/model.ts";
import type { TableAbilities } from "../../../../../shared/policy/abilities.ts";
import { recordMessages as messages } from "../../../messages/en/record.ts";
import { useLabelUpdates } from "../../../records/fields/use-label-updates.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { Hint } from "../../../ui/texts.ts";
import { Waiting } from "../waiting.tsx";
import { HistoryItem } from "./history-item.tsx";
import type { HistoryState } from "./use-history.ts";

interface Props {
  table: Table;
  abilities: TableAbilities;
  record: RecordView;
  history: HistoryState;
}

/** The history of the record, newest first: author, time, and each field before and after. */
export function HistoryList({ table, abilities, record, history }: Props) {
  useLabelUpdates();
  if (history.kind === "loading") {
    return <Waiting label={messages.loadingHistory()} />;
  }
  if (history.kind === "failed") return <Hint p={16}>{history.message}</Hint>;
  if (history.entries.length === 0) return <Hint p={16}>{messages.noHistory()}</Hint>;
  const params = new URLSearchParams({ table: table.name, record: record.id });
  return (
    <>
      <Box component="ol" p="12px 16px 32px">
        {history.entries.map((entry, index) => (
          <HistoryItem
            key={entry.seq}
            entry={entry}
            table={table}
            abilities={abilities}
            record={record}
            newer={history.entries.slice(0, index)}
          />
        ))}
      </Box>
      <Hint p={16}>
        <Link href={`/activity?${params}`}>{messages.showInActivity()}</Link>
      </Hint>
    </>
  );
}
