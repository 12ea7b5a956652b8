import { Button } from "@mantine/core";

import { useEffect, useState } from "react";
import { useAtom } from "../../../state/use-atom.ts";
import type { WindowStatus } from "../../../state/window-status.ts";
import type { GridController } from "../grid-controller.ts";
import { sizeOf } from "../range/cell-range.ts";
import classes from "./toolbar.module.css";

const numberFormat = new Intl.NumberFormat();

/** The line under the rows: how many there are, what is selected, what stands out of place. */
export function StatusLine({ grid, selected }: { grid: GridController; selected: number }) {
  const status = useAtom(grid.window.statusAtom);
  const cells = useRangeSize(grid);
  return (
    <footer className={classes.status}>
      <span data-testid="total">{totalLabel(grid, status)}</span>
      {selected > 0 && (
        <span>
          <strong>{numberFormat.format(selected)}</strong> selected
        </span>
      )}
      {cells > 1 && <span>{numberFormat.format(cells)} cells</span>}
      {status.displaced > 0 && (
        <span className={classes.displaced}>
          {status.displaced} out of place
          <Button variant="subtle" size="compact-xs" onClick={() => grid.window.realign()}>
            Put in order
          </Button>
        </span>
      )}
    </footer>
  );
}

function totalLabel(grid: GridController, { phase, total, totalExact }: WindowStatus) {
  if (phase === "loading") return "Counting…";
  const label = total === 1 && totalExact ? grid.table.recordLabel : grid.table.label.toLowerCase();
  return (
    <>
      <strong>
        {totalExact ? "" : "≈ "}
        {numberFormat.format(total)}
      </strong>{" "}
      {label}
    </>
  );
}

function useRangeSize({ range }: GridController): number {
  const [size, setSize] = useState(0);
  useEffect(() => range.onChange(() => setSize(range.range ? sizeOf(range.range) : 0)), [range]);
  return size;
}
