import { Button, Checkbox, Group, Stack, TextInput } from "@mantine/core";
import { IconColumns3, IconGripVertical } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { foldCase } from "../../../../../shared/filter/fold-case.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { uiMessages } from "../../../messages/en/ui.ts";
import order from "../../../records/order/order.module.css";
import { useDragOrder } from "../../../records/order/use-drag-order.ts";
import { ToolButton } from "../../../records/toolbar/tool-button.tsx";
import type { PlacedColumn } from "../../../records/views/column-layout.ts";
import { noFill } from "../../../ui/no-fill.ts";
import { Hint } from "../../../ui/texts.ts";
import { TitledPopover } from "../../../ui/titled-popover.tsx";
import type { GridController } from "../grid-controller.ts";
import { placeColumn } from "../look/column-steps.tsx";
import classes from "./toolbar.module.css";

/** So many columns are searched. */
const SEARCHED_FROM = 10;

interface Props {
  grid: GridController;
  placed: readonly PlacedColumn[];
  onReset(): void;
}

/**
 * Shows and hides columns, and puts them in order by dragging. The menu of a column, in its header, does the same by keyboard, and sizes it.
 */
export function ColumnsMenu({ grid, placed, onReset }: Props) {
  const [opened, setOpened] = useState(false);
  const hidden = placed.filter((column) => column.hidden).length;
  const [text, setText] = useState("");
  const labelOf = ({ field }: PlacedColumn) => grid.fields.get(field)?.label ?? field;
  const found = placed.filter((column) =>
    foldCase(labelOf(column)).includes(foldCase(text.trim())),
  );
  const names = found.map(({ field }) => field);
  const canShow = found.some((column) => column.hidden);
  // One column stays: rows without any can't be read.
  const firstShown = placed.find((column) => !column.hidden);
  const toHide = found.filter((column) => !column.hidden && column !== firstShown);
  const list = useRef<HTMLDivElement>(null);
  const drag = useDragOrder(list, (from, to) => {
    const [moved, other] = [placed[from], placed[to]];
    if (moved && other) placeColumn(grid, moved.field, other.field, to > from);
  });
  // Among the found ones a place means little.
  const isDraggable = found.length === placed.length;
  return (
    <TitledPopover
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
        <div ref={list} className={classes.list}>
          {found.map((column, index) => (
            <span
              key={column.field}
              data-field={column.field}
              className={`${classes.item} ${order.draggable}`}
              data-dragged={drag.isDragged(index) || undefined}
              data-drop={drag.markOf(index, found.length)}
            >
              <ColumnBox grid={grid} column={column} />
              {isDraggable && (
                <span
                  className={`${order.grip} ${classes.grip}`}
                  title={uiMessages.dragToReorder()}
                  aria-hidden="true"
                  onPointerDown={(event) => drag.start(event, index)}
                >
                  <IconGripVertical size={15} />
                </span>
              )}
            </span>
          ))}
        </div>
        <Hint fz="xs">{messages.columnsHint()}</Hint>
        <Group gap={8} align="stretch" justify="space-between" wrap="nowrap">
          <Group gap={0}>
            <Button
              variant="subtle"
              size="compact-sm"
              disabled={!canShow}
              onClick={() => grid.api.setColumnsVisible(names, true)}
            >
              {messages.showAllColumns()}
            </Button>
            <Button
              variant="subtle"
              size="compact-sm"
              disabled={toHide.length === 0}
              onClick={() =>
                grid.api.setColumnsVisible(
                  toHide.map(({ field }) => field),
                  false,
                )
              }
            >
              {messages.hideAllColumns()}
            </Button>
          </Group>
          <Button variant="subtle" size="compact-sm" onClick={onReset}>
            {messages.reset()}
          </Button>
        </Group>
      </Stack>
    </TitledPopover>
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
