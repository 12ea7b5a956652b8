import { Button } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { useState } from "react";
import { ownZone } from "../../../../../shared/filter/zone.ts";
import { bulkEditMessages as messages } from "../../../messages/en/bulk-edit.ts";
import { selectedRecords } from "../actions/record-actions.ts";
import type { GridController } from "../grid-controller.ts";
import { bulkChoices, idFilter } from "./bulk-choices.ts";
import { BulkEditDialog, type BulkTarget } from "./bulk-edit-dialog.tsx";

interface Props {
  grid: GridController;
  /** The selected records, or all of the view. */
  of: "selection" | "view";
}

/** Opens the dialog that edits many records at once. Absent for users who can't change anything in the table. */
export function BulkEditButton({ grid, of }: Props) {
  const [target, setTarget] = useState<BulkTarget | null>(null);
  const choices = bulkChoices(grid.table, grid.abilities);
  if (choices.length === 0) return null;
  const open = () => setTarget(of === "selection" ? selectionOf(grid) : viewOf(grid));
  return (
    <>
      <Button
        variant="subtle"
        size={of === "selection" ? "compact-sm" : "compact-xs"}
        {...(of === "selection" && { leftSection: <IconPencil size={15} aria-hidden="true" /> })}
        onClick={open}
      >
        {of === "selection" ? messages.editSelected() : messages.editAll()}
      </Button>
      {target && target.count > 0 && (
        <BulkEditDialog
          table={grid.table}
          choices={choices}
          target={target}
          onClose={() => setTarget(null)}
        />
      )}
    </>
  );
}

/** The selected records that are stored: a draft has nothing to compare with yet. */
function selectionOf(grid: GridController): BulkTarget {
  const stored = selectedRecords(grid).filter(({ version }) => version !== null);
  return { filter: idFilter(stored.map(({ id }) => id)), count: stored.length, isExact: true };
}

function viewOf({ window }: GridController): BulkTarget {
  const { filter, search, zone = ownZone() } = window.view;
  const { total, totalExact } = window.status;
  return { filter, search, zone, count: total, isExact: totalExact };
}
