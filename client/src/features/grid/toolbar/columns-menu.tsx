import { Button, Checkbox, Group, Popover, Stack } from "@mantine/core";
import { IconColumns3 } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { ToolButton } from "../../../records/toolbar/tool-button.tsx";
import bar from "../../../records/toolbar/toolbar.module.css";
import type { PlacedColumn } from "../../../records/views/column-layout.ts";
import { Hint } from "../../../ui/texts.ts";
import type { GridController } from "../grid-controller.ts";
import classes from "./toolbar.module.css";

interface Props {
  grid: GridController;
  placed: readonly PlacedColumn[];
  onReset(): void;
}

/** Shows and hides columns. Their order and width are changed in the header. */
export function ColumnsMenu({ grid, placed, onReset }: Props) {
  const hidden = placed.filter((column) => column.hidden).length;
  return (
    <Popover position="bottom-start" shadow="md" radius="lg" trapFocus returnFocus>
      <Popover.Target>
        <ToolButton icon={IconColumns3} label={messages.columns()}>
          {hidden > 0 && (
            <Hint span fz="xs" ms={4} className={bar.wide}>
              {messages.hiddenCount({ count: hidden })}
            </Hint>
          )}
        </ToolButton>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={8} miw={260}>
          <div className={classes.list}>
            {placed.map((column) => (
              <span key={column.field} className={classes.item}>
                <ColumnBox grid={grid} column={column} />
              </span>
            ))}
          </div>
          <Hint fz="xs">{messages.columnsHint()}</Hint>
          <Group gap={8} align="stretch" justify="space-between" wrap="nowrap">
            <Button variant="subtle" size="compact-sm" onClick={onReset}>
              {messages.reset()}
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** A checkbox that changes immediately, before the grid has shown or hidden the column. */
function ColumnBox({ grid, column }: { grid: GridController; column: PlacedColumn }) {
  const [shown, setShown] = useState(!column.hidden);
  useEffect(() => setShown(!column.hidden), [column.hidden]);
  const show = (isShown: boolean) => {
    setShown(isShown);
    showColumn(grid, column.field, isShown);
  };
  return (
    <Checkbox
      size="xs"
      label={grid.fields.get(column.field)?.label ?? column.field}
      checked={shown}
      onChange={(event) => show(event.currentTarget.checked)}
    />
  );
}

/** Scrolls to a column that was just shown. */
function showColumn({ api }: GridController, field: string, shown: boolean): void {
  api.setColumnsVisible([field], shown);
  if (shown) api.ensureColumnVisible(field);
}
