import { ActionIcon, Button } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconCopyPlus, IconTrash, IconX } from "@tabler/icons-react";
import { cellMenuMessages as menuMessages } from "../../../messages/en/cell-menu.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { notDeletableReason } from "../../../records/fields/read-only-reason.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { ButtonTooltip } from "../../../ui/button-tooltip.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { formatCount } from "../../../ui/numbers.ts";
import { deleteRecords, duplicateRecords, selectedRecords } from "../actions/record-actions.ts";
import { BulkEditButton } from "../bulk/bulk-edit-button.tsx";
import type { GridController } from "../grid-controller.ts";
import { moveSelected } from "../move/movable-rows.ts";
import { useFocusToGrid } from "../rows/use-focus-to-grid.ts";
import classes from "./toolbar.module.css";

/** Actions for the selected records. What ends the selection is far from what deletes. */
export function SelectionBar({ grid, selected }: { grid: GridController; selected: number }) {
  const giveFocus = useFocusToGrid(grid);
  if (selected === 0) return null;
  const getSelected = () => selectedRecords(grid);
  const blockedReason = deleteBlockedReason(grid, getSelected());
  const label = messages.selected({ count: formatCount(selected) });
  return (
    <span ref={giveFocus} className={classes.selection} role="toolbar" aria-label={label}>
      <ActionIcon
        aria-label={messages.clearSelection()}
        size="sm"
        onClick={() => grid.api.deselectAll()}
      >
        <IconX size={15} />
      </ActionIcon>
      <span>{label}</span>
      <BulkEditButton grid={grid} />
      {grid.abilities.create && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconCopyPlus size={15} aria-hidden="true" />}
          onClick={() => duplicateRecords(grid, getSelected())}
        >
          {messages.duplicate()}
        </Button>
      )}
      {grid.abilities.delete && (
        <ButtonTooltip label={blockedReason} disabled={blockedReason === null} multiline maw={320}>
          <Button
            variant="subtle"
            color="red"
            size="compact-sm"
            className={classes.remove ?? ""}
            data-disabled={blockedReason !== null || undefined}
            aria-disabled={blockedReason !== null}
            aria-description={blockedReason ?? undefined}
            leftSection={<IconTrash size={15} aria-hidden="true" />}
            onClick={() => blockedReason === null && deleteRecords(grid, idsOf(getSelected()))}
          >
            {messages.delete()}
          </Button>
        </ButtonTooltip>
      )}
      {/* Last, so that on a phone these are in the second line, as is what deletes. */}
      {grid.cards && grid.actions.movable().reason === null && (
        <>
          <IconButton
            label={menuMessages.moveUp()}
            size="sm"
            onClick={() => moveSelected(grid, "up")}
          >
            <IconArrowUp size={16} aria-hidden="true" />
          </IconButton>
          <IconButton
            label={menuMessages.moveDown()}
            size="sm"
            onClick={() => moveSelected(grid, "down")}
          >
            <IconArrowDown size={16} aria-hidden="true" />
          </IconButton>
        </>
      )}
    </span>
  );
}

/** Why the selected records can't all be deleted: the reason of the first one. Null if it can be tried. */
function deleteBlockedReason(
  { table, abilities }: GridController,
  records: readonly RecordView[],
): string | null {
  for (const record of records) {
    const blockedReason = notDeletableReason(table, abilities, record);
    if (blockedReason !== null) return blockedReason;
  }
  return null;
}

const idsOf = (records: readonly RecordView[]) => records.map(({ id }) => id);
