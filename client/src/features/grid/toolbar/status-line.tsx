import { Button } from "@mantine/core";

import { useEffect, useState } from "react";
import { useAtom } from "../../../state/use-atom.ts";
import type { WindowStatus } from "../../../state/window-status.ts";
import type { Desk } from "../desk.ts";
import { sizeOf } from "../range/cell-range.ts";
import classes from "./toolbar.module.css";

const numbers = new Intl.NumberFormat();

/** The line under the rows: how many there are, what is selected, what stands out of place. */
export function StatusLine({ desk, selected }: { desk: Desk; selected: number }) {
  const status = useAtom(desk.window.statusAtom);
  const cells = useRangeSize(desk);
  return (
    <footer className={classes.status}>
      <span data-testid="total">{totalWords(desk, status)}</span>
      {selected > 0 && (
        <span>
          <strong>{numbers.format(selected)}</strong> selected
        </span>
      )}
      {cells > 1 && <span>{numbers.format(cells)} cells</span>}
      {status.displaced > 0 && (
        <span className={classes.displaced}>
          {status.displaced} out of place
          <Button variant="subtle" size="compact-xs" onClick={() => desk.window.realign()}>
            Put in order
          </Button>
        </span>
      )}
    </footer>
  );
}

function totalWords(desk: Desk, { phase, total, totalExact }: WindowStatus) {
  if (phase === "loading") return "Counting…";
  const label = total === 1 && totalExact ? desk.table.recordLabel : desk.table.label.toLowerCase();
  return (
    <>
      <strong>
        {totalExact ? "" : "≈ "}
        {numbers.format(total)}
      </strong>{" "}
      {label}
    </>
  );
}

function useRangeSize({ range }: Desk): number {
  const [size, setSize] = useState(0);
  useEffect(() => range.onChange(() => setSize(range.range ? sizeOf(range.range) : 0)), [range]);
  return size;
}
