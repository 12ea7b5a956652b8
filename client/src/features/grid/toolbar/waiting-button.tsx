import { Button } from "@mantine/core";
import { IconArrowUp } from "@tabler/icons-react";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { useAtom } from "../../../state/use-atom.ts";
import type { GridController } from "../grid-controller.ts";
import { useFocusToGrid } from "../rows/use-focus-to-grid.ts";
import classes from "./toolbar.module.css";

/** Shows how many new records match the view, and inserts them when clicked. */
export function WaitingButton({ grid }: { grid: GridController }) {
  const { waiting } = useAtom(grid.rowList.statusAtom);
  const label = messages.waiting({ count: waiting });
  const giveFocus = useFocusToGrid(grid);
  if (waiting === 0) return null;
  return (
    <Button
      ref={giveFocus}
      className={classes.waiting ?? ""}
      data-cards={grid.cards ? "" : undefined}
      size="compact-sm"
      rightSection={<IconArrowUp size={14} aria-hidden="true" />}
      onClick={() => {
        // The focused record would stay at its height on the screen, and the new ones be above it.
        grid.api.clearFocusedCell();
        grid.rowList.realign();
        grid.api.ensureIndexVisible(0, "top");
      }}
    >
      {label}
    </Button>
  );
}
