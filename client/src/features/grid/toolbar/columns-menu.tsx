import { Button, Checkbox, Popover } from "@mantine/core";
import { IconColumns3 } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import bar from "../../../ui/toolbar/toolbar.module.css";
import type { PlacedColumn } from "../../../ui/views/column-layout.ts";
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
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          fw={500}
          className={bar.iconic ?? ""}
          leftSection={<IconColumns3 size={16} />}
        >
          <span className={bar.wide}>{messages.columns()}</span>
          {hidden > 0 && (
            <span className={`${classes.hint} ${bar.wide}`}>
              {messages.hiddenCount({ count: hidden })}
            </span>
          )}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <div className={classes.panel}>
          <div className={classes.list}>
            {placed.map((column) => (
              <span key={column.field} className={classes.item}>
                <ColumnBox grid={grid} column={column} />
              </span>
            ))}
          </div>
          <p className={classes.hint}>{messages.columnsHint()}</p>
          <div className={classes.actions}>
            <Button variant="subtle" size="compact-sm" onClick={onReset}>
              {messages.reset()}
            </Button>
          </div>
        </div>
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
