import { Button } from "@mantine/core";
import { IconRestore } from "@tabler/icons-react";
import type { Table } from "../../../../../shared/model/model.ts";
import type { HistoryEntry } from "../../../../../shared/protocol/history.ts";
import { recordMessages as messages } from "../../../messages/en/record.ts";
import { changeSetAddress } from "../../../records/change-sets/change-set-address.ts";
import { rest } from "../../../transport/rest/rest.ts";
import { formatMoment } from "../../../ui/numbers.ts";
import { useBusy } from "../../../ui/use-action.ts";
import { useGoOn } from "../../../ui/use-go-on.ts";

interface Props {
  table: Table;
  /** The entry as of which the record is restored. */
  entry: HistoryEntry;
  /** The changes after it. */
  newer: readonly HistoryEntry[];
}

/**
 * Restores the record as it was after an entry of its history: a draft that reverts what came later. Its preview names
 * what can't be restored.
 */
export function RestoreVersion({ table, entry, newer }: Props) {
  const { isBusy, run } = useBusy();
  const goOn = useGoOn();
  const restore = async () => {
    const title = messages.restoreTitle({
      record: table.recordLabel,
      time: formatMoment(entry.at),
    });
    const changes = newer.map(({ seq }) => ({ table: table.name, seq }));
    const { id } = await rest("POST /change-sets", { body: { title, revert: { changes } } });
    goOn(changeSetAddress(id));
  };
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      loading={isBusy}
      leftSection={<IconRestore size={14} aria-hidden="true" />}
      onClick={() => void run(restore)}
    >
      {messages.restoreVersion()}
    </Button>
  );
}
