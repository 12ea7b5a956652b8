import { Button } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { useState } from "react";
import { deepEqual } from "../../../../../shared/document/deep-equal.ts";
import type { Json } from "../../../../../shared/filter/filter.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { bulkEditMessages as messages } from "../../../messages/en/bulk-edit.ts";
import { dayZone } from "../../../state/day-zone.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { editCells } from "../actions/edit-cells.ts";
import { selectedRecords } from "../actions/record-actions.ts";
import type { GridController } from "../grid-controller.ts";
import classes from "../toolbar/toolbar.module.css";
import type { CountedView, Total } from "../toolbar/use-total.ts";
import { bulkChoices, idFilter, quickChoices } from "./bulk-choices.ts";
import { BulkEditDialog, type BulkTarget } from "./bulk-edit-dialog.tsx";

interface Props {
  grid: GridController;
  /** The selected records, or all of a view: so many as the line beside the button says. */
  of: "selection" | (Total & { view: CountedView });
}

/** Opens the dialog that edits many records at once. Absent for users who can't change anything in the table. */
export function BulkEditButton({ grid, of }: Props) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const choices = bulkChoices(grid.table, grid.abilities);
  if (choices.length === 0) return null;
  const open = (first?: string) =>
    setOpened({ ...(of === "selection" ? selectionOf(grid) : viewOf(of)), first });
  const quick = of === "selection" ? quickChoices(grid.table, choices) : [];
  // Counting goes on while the dialog is open.
  const isSameView = of !== "selection" && deepEqual(opened?.view, of.view);
  return (
    <>
      {quick.map(({ label, key }) => (
        <Button
          key={key}
          className={classes.quick ?? ""}
          variant="subtle"
          size="compact-sm"
          aria-haspopup="dialog"
          onClick={() => open(key)}
        >
          {label}
        </Button>
      ))}
      <Button
        variant="subtle"
        size={of === "selection" ? "compact-sm" : "compact-xs"}
        {...(of === "selection" && { leftSection: <IconPencil size={15} aria-hidden="true" /> })}
        onClick={() => open()}
      >
        {of === "selection" ? messages.editSelected() : messages.editAll()}
      </Button>
      {opened && opened.target.total > 0 && (
        <BulkEditDialog
          table={grid.table}
          choices={choices}
          first={opened.first}
          target={isSameView ? viewOf(of).target : opened.target}
          setNow={opened.records && setterOf(grid, opened.records)}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

interface Opened {
  target: BulkTarget;
  /** The choice that the dialog begins with. */
  first?: string | undefined;
  /** Null for a selection. */
  view: CountedView | null;
  /** The records of a selection that is small enough to be changed at once. */
  records?: readonly RecordView[];
}

/** So many records are changed at once, with Undo; of more, a preview is shown first. */
const DIRECT_MAX = 50;

/** Sets a field of records as one undoable step, on the values that they have now. */
function setterOf(grid: GridController, records: readonly RecordView[]) {
  return (field: Field, value: Json) => {
    const current = records.map(
      ({ id }, at) => grid.rowList.get(id) ?? (records[at] as RecordView),
    );
    const cells = current.map((record) => ({ record, field: field.name, value }));
    editCells(grid, cells, { done: messages.changed });
  };
}

/** The selected records that are stored: a draft has nothing to compare with yet. */
function selectionOf(grid: GridController): Opened {
  const stored = selectedRecords(grid).filter(({ version }) => version !== null);
  const filter = idFilter(stored.map(({ id }) => id));
  const total = { total: stored.length, isExact: true, isLowerBound: false };
  const isFew = stored.length <= DIRECT_MAX;
  return { target: { filter, ...total }, view: null, ...(isFew && { records: stored }) };
}

/** The records that were counted. */
function viewOf({ view, ...total }: Total & { view: CountedView }): Opened {
  const { filter, search, zone = dayZone() } = view;
  return { target: { filter, search, zone, ...total }, view };
}
