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

/** Opens the dialog that edits the selected records at once. Absent for users who can't change anything in the table. */
export function BulkEditButton({ grid }: { grid: GridController }) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const choices = bulkChoices(grid.table, grid.abilities);
  if (choices.length === 0) return null;
  const open = (first?: string) => setOpened({ ...selectionOf(grid), first });
  return (
    <>
      {quickChoices(grid.table, choices).map(({ label, key }) => (
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
        size="compact-sm"
        leftSection={<IconPencil size={15} aria-hidden="true" />}
        onClick={() => open()}
      >
        {messages.editSelected()}
      </Button>
      {opened && opened.target.total > 0 && (
        <BulkEditDialog
          table={grid.table}
          choices={choices}
          first={opened.first}
          target={opened.target}
          setNow={opened.records && setterOf(grid, opened.records)}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

interface AllProps {
  grid: GridController;
  /** All records of a view: so many as the line below the rows says. */
  of: Total & { view: CountedView };
  onClose(): void;
}

/** The dialog that edits all records of the view that was shown when it was opened. Counting goes on meanwhile. */
export function BulkEditAll({ grid, of, onClose }: AllProps) {
  const [opened] = useState(of);
  const isSameView = deepEqual(opened.view, of.view);
  return (
    <BulkEditDialog
      table={grid.table}
      choices={bulkChoices(grid.table, grid.abilities)}
      target={targetOf(isSameView ? of : opened)}
      onClose={onClose}
    />
  );
}

interface Opened {
  target: BulkTarget;
  /** The choice that the dialog begins with. */
  first?: string | undefined;
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
  return { target: { filter, ...total }, ...(isFew && { records: stored }) };
}

/** The records that were counted. */
function targetOf({ view, ...total }: Total & { view: CountedView }): BulkTarget {
  const { filter, search, zone = dayZone() } = view;
  return { filter, search, zone, ...total };
}
