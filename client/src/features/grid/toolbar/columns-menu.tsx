import { Button, Checkbox, Group, Stack, TextInput } from "@mantine/core";
import { IconColumns3 } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { foldCase } from "../../../../../shared/filter/fold-case.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { ToolButton } from "../../../records/toolbar/tool-button.tsx";
import { ToolPopover } from "../../../records/toolbar/tool-popover.tsx";
import type { PlacedColumn } from "../../../records/views/column-layout.ts";
import { noFill } from "../../../ui/no-fill.ts";
import { Hint } from "../../../ui/texts.ts";
import type { GridController } from "../grid-controller.ts";
import classes from "./toolbar.module.css";

/** So many columns are searched. */
const SEARCHED_FROM = 10;

interface Props {
  grid: GridController;
  placed: readonly PlacedColumn[];
  onReset(): void;
}

/** Shows and hides columns. Their order and width are changed in the header. */
export function ColumnsMenu({ grid, placed, onReset }: Props) {
  const [opened, setOpened] = useState(false);
  const hidden = placed.filter((column) => column.hidden).length;
  const [text, setText] = useState("");
  const labelOf = ({ field }: PlacedColumn) => grid.fields.get(field)?.label ?? field;
  const found = placed.filter((column) =>
    foldCase(labelOf(column)).includes(foldCase(text.trim())),
  );
  const canShow = found.some((column) => column.hidden);
  const showAll = () =>
    grid.api.setColumnsVisible(
      found.map(({ field }) => field),
      true,
    );
  return (
    <ToolPopover
      opened={opened}
      onOpened={setOpened}
      target={
        <ToolButton
          icon={IconColumns3}
          label={messages.columns()}
          usual
          value={hidden > 0 ? messages.hiddenCount({ count: hidden }) : null}
          onClick={() => setOpened(!opened)}
        />
      }
      title={messages.columns()}
    >
      <Stack gap={8}>
        {placed.length > SEARCHED_FROM && (
          <TextInput
            {...noFill}
            size="xs"
            aria-label={messages.searchColumns()}
            placeholder={messages.searchColumns()}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        <div className={classes.list}>
          {found.map((column) => (
            <span key={column.field} className={classes.item}>
              <ColumnBox grid={grid} column={column} />
            </span>
          ))}
        </div>
        <Hint fz="xs">{messages.columnsHint()}</Hint>
        <Group gap={8} align="stretch" justify="space-between" wrap="nowrap">
          <Button variant="subtle" size="compact-sm" disabled={!canShow} onClick={showAll}>
            {messages.showAllColumns()}
          </Button>
          <Button variant="subtle" size="compact-sm" onClick={onReset}>
            {messages.reset()}
          </Button>
        </Group>
      </Stack>
    </ToolPopover>
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
