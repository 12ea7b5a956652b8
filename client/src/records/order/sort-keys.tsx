import { ActionIcon, NativeSelect, Stack } from "@mantine/core";
import { IconGripVertical, IconX } from "@tabler/icons-react";
import { useRef } from "react";
import { SORT_MAX_KEYS } from "../../../../shared/filter/check-sort.ts";
import { isOrdered } from "../../../../shared/filter/ordering.ts";
import { readSortKey, writeSortKey } from "../../../../shared/filter/sort-key.ts";
import { isNumeric, isTemporal } from "../../../../shared/filter/value-kinds.ts";
import { kindOfType, traitsOf } from "../../../../shared/model/field-types.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { uiMessages as messages } from "../../messages/en/ui.ts";
import { ErrorText, Hint } from "../../ui/texts.ts";
import { moveItem, moveItemTo } from "./move-item.ts";
import classes from "./order.module.css";
import { OrderButtons } from "./order-buttons.tsx";
import { PickToAdd } from "./pick-to-add.tsx";
import { useDragOrder } from "./use-drag-order.ts";

interface Props {
  /** Only those that have an order are offered. */
  fields: readonly Field[];
  sort: readonly string[];
  onSort(sort: string[]): void;
  /** What is wrong with a key. */
  problem?(index: number): string | undefined;
}

/** The keys of a sort order, first the one that counts most; dragged, or moved by buttons. */
export function SortKeys({ fields, sort, onSort, problem }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const drag = useDragOrder(list, (from, to) => onSort(moveItemTo(sort, from, to)));
  const keys = sort.map(readSortKey);
  const labelOf = (name: string) => fields.find((field) => field.name === name)?.label ?? name;
  const remaining = fields.filter(
    ({ name, type }) => isOrdered(kindOfType[type]) && !keys.some(({ field }) => field === name),
  );
  return (
    <>
      {sort.length === 0 && <Hint>{messages.sortById()}</Hint>}
      <Stack ref={list} component="ol" gap={4}>
        {keys.map(({ field, descending }, index) => {
          const label = labelOf(field);
          const move = { of: label, index, count: keys.length };
          return (
            <li
              key={field}
              className={`${classes.draggable} ${classes.key}`}
              data-dragged={drag.isDragged(index) || undefined}
              data-drop={drag.markOf(index, keys.length)}
            >
              {keys.length > 1 && (
                <span
                  className={classes.grip}
                  title={messages.dragToReorder()}
                  aria-hidden="true"
                  onPointerDown={(event) => drag.start(event, index)}
                >
                  <IconGripVertical size={15} />
                </span>
              )}
              <span className={classes.name}>
                {index > 0 ? messages.thenBy({ field: label }) : label}
              </span>
              <NativeSelect
                size="xs"
                aria-label={messages.directionOf({ field: label })}
                value={descending ? "-" : ""}
                data={directionsOf(fields.find(({ name }) => name === field))}
                onChange={({ currentTarget: { value } }) =>
                  onSort(sort.with(index, writeSortKey({ field, descending: value === "-" })))
                }
              />
              {keys.length > 1 && (
                <OrderButtons {...move} onMove={(by) => onSort(moveItem(sort, index, by))} />
              )}
              <ActionIcon
                size="sm"
                aria-label={messages.removeSort({ field: label })}
                onClick={() => onSort(sort.filter((_, at) => at !== index))}
              >
                <IconX size={15} />
              </ActionIcon>
              {problem?.(index) && (
                <ErrorText span flex="1 0 100%">
                  {problem(index)}
                </ErrorText>
              )}
            </li>
          );
        })}
      </Stack>
      {remaining.length > 0 && sort.length < SORT_MAX_KEYS && (
        <PickToAdd
          width={220}
          label={messages.sortBy()}
          choices={remaining}
          onPick={(name) => onSort([...sort, name])}
        />
      )}
    </>
  );
}

/** The two directions in the words of what is sorted. Options have an order of their own. */
function directionsOf(field: Field | undefined): { value: "" | "-"; label: string }[] {
  const [up, down] = field ? directionNames(field) : [messages.ascending, messages.descendingOrder];
  return [
    { value: "", label: up() },
    { value: "-", label: down() },
  ];
}

function directionNames({ type }: Field) {
  const kind = kindOfType[type];
  if (isTemporal(kind)) return [messages.oldestFirst, messages.newestFirst] as const;
  if (isNumeric(kind)) return [messages.smallestFirst, messages.largestFirst] as const;
  if (kind === "text" && !traitsOf(type).names) return [messages.fromA, messages.fromZ] as const;
  return [messages.ascending, messages.descendingOrder] as const;
}
