import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useEffect } from "react";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { richText } from "../../../messages/rich-text.tsx";
import { ChangedViewButton } from "../../../records/views/changed-view-button.tsx";
import type { CurrentView } from "../../../records/views/use-current-view.ts";
import { useAtom } from "../../../state/use-atom.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { formatCount } from "../../../ui/numbers.ts";
import { insertRecord } from "../actions/record-actions.ts";
import { BulkEditAll } from "../bulk/bulk-edit-button.tsx";
import type { GridController } from "../grid-controller.ts";
import { takeFocus } from "../rows/grid-focus.ts";
import { useFocusToGrid } from "../rows/use-focus-to-grid.ts";
import { RangeStatus } from "./range-status.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import classes from "./toolbar.module.css";
import { type CountedView, type Total, useTotal } from "./use-total.ts";

const bold = (text: string) => <strong>{text}</strong>;

interface Props {
  grid: GridController;
  current: CurrentView;
  /** The view with all its groups. */
  view: CountedView;
  hasHiddenGroups: boolean;
  selected: number;
  /** Whether the dialog that edits all records is open. */
  isEditingAll: boolean;
  onEditedAll(): void;
}

/**
 * The line below the rows: their number, what is selected and can be done with it, another version of the view, and the rows that are out of
 * order.
 */
export function StatusLine(props: Props) {
  const { grid, current, view, hasHiddenGroups, selected, isEditingAll, onEditedAll } = props;
  const status = useAtom(grid.rowList.statusAtom);
  const countedView = hasHiddenGroups ? view : grid.rowList.shownView;
  const counted = useTotal(grid, countedView, hasHiddenGroups);
  const isNothing = isEditingAll && counted?.total === 0;
  useEffect(() => {
    if (isNothing) onEditedAll();
  }, [isNothing, onEditedAll]);
  const giveFocus = useFocusToGrid(grid);
  // With each rendering: whether rows can be moved depends on the view, the rights, and the number that is shown here.
  useEffect(() => {
    grid.host.toggleAttribute("data-movable", grid.actions.movable().reason === null);
  });
  const realign = () => {
    // Now, and not when the button goes: the focused record stays at its height on the screen.
    takeFocus(grid);
    grid.rowList.realign();
  };
  return (
    <footer className={classes.status}>
      {grid.abilities.create && !grid.cards && (
        <IconButton
          label={messages.addRecord({ record: grid.table.recordLabel })}
          size="sm"
          onClick={() => insertRecord(grid)}
        >
          <IconPlus size={16} aria-hidden="true" />
        </IconButton>
      )}
      <span data-testid="total">
        {status.phase === "loading" || !counted ? messages.counting() : totalLabel(grid, counted)}
      </span>
      {isEditingAll && counted && counted.total > 0 && (
        <BulkEditAll grid={grid} of={{ ...counted, view: countedView }} onClose={onEditedAll} />
      )}
      <SelectionBar grid={grid} selected={selected} />
      <RangeStatus grid={grid} />
      <ChangedViewButton current={current} buttonRef={giveFocus} />
      {status.displaced > 0 && (
        <span ref={giveFocus} className={classes.displaced}>
          {messages.displaced({ count: status.displaced })}
          <Button variant="subtle" size="compact-xs" onClick={realign}>
            {messages.realign()}
          </Button>
        </span>
      )}
    </footer>
  );
}

function totalLabel(grid: GridController, { total, isExact, isLowerBound }: Total) {
  const isOne = total === 1 && isExact;
  const records = isOne ? grid.table.recordLabel : grid.table.label.toLowerCase();
  const values = { count: formatCount(total), records };
  const label = isLowerBound ? messages.moreThanTotal : messages.aboutTotal;
  return richText(isExact ? messages.total(values) : label(values), { b: bold });
}
