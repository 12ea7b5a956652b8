import { ActionIcon } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { gridMessages as messages } from "../../messages/en/grid.ts";
import { openFieldSheet } from "../../state/open-sheet.ts";
import { ButtonTooltip } from "../../ui/button-tooltip.tsx";
import type { GridController } from "./grid-controller.ts";
import classes from "./table-view.module.css";

/** Adds a field, from the right end of the headers. */
export function AddFieldButton({ grid }: { grid: GridController }) {
  if (grid.cards) return null;
  return (
    <ButtonTooltip label={messages.addField()} position="left">
      <ActionIcon
        className={classes.addField ?? ""}
        size={28}
        aria-label={messages.addField()}
        onClick={() => openFieldSheet(grid.table.name)}
      >
        <IconPlus size={16} stroke={1.7} />
      </ActionIcon>
    </ButtonTooltip>
  );
}
