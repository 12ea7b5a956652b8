import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { IconCopyPlus, IconTrash, IconX } from "@tabler/icons-react";
import type { RecordView } from "../../../state/record-view.ts";
import { whyNotDeleted } from "../../../ui/fields/why-read-only.ts";
import { chosenRecords, deleteRecords, duplicateRecords } from "../actions/record-actions.ts";
import type { Desk } from "../desk.ts";
import classes from "./toolbar.module.css";

/** What can be done with the selected records. */
export function SelectionBar({ desk, selected }: { desk: Desk; selected: number }) {
  if (selected === 0) return null;
  const chosen = () => chosenRecords(desk);
  const why = whyKept(desk, chosen());
  return (
    <span className={classes.selection}>
      {selected}
      <span className={classes.wide}>selected</span>
      {desk.abilities.create && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconCopyPlus size={15} aria-hidden="true" />}
          onClick={() => duplicateRecords(desk, chosen())}
        >
          Duplicate
        </Button>
      )}
      {desk.abilities.delete && (
        <Tooltip label={why} disabled={why === null} multiline maw={320}>
          <Button
            variant="subtle"
            color="red"
            size="compact-sm"
            data-disabled={why !== null || undefined}
            aria-disabled={why !== null}
            aria-description={why ?? undefined}
            leftSection={<IconTrash size={15} aria-hidden="true" />}
            onClick={() => why === null && deleteRecords(desk, idsOf(chosen()))}
          >
            Delete
          </Button>
        </Tooltip>
      )}
      <ActionIcon aria-label="Clear the selection" size="sm" onClick={() => desk.api.deselectAll()}>
        <IconX size={15} />
      </ActionIcon>
    </span>
  );
}

/** Why the chosen records can't all be deleted, told of the first that can't; null where it can be tried. */
function whyKept({ table, abilities }: Desk, records: readonly RecordView[]): string | null {
  for (const record of records) {
    const why = whyNotDeleted(table, abilities, record);
    if (why !== null) return why;
  }
  return null;
}

const idsOf = (records: readonly RecordView[]) => records.map(({ id }) => id);
