import { Popover } from "@mantine/core";
import { IconFilter } from "@tabler/icons-react";
import type { Filter } from "../../../../shared/filter/filter.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { filterMessages as messages } from "../../messages/en/filter.ts";
import { FilterBuilder } from "../filter/filter-builder.tsx";
import { countConditions } from "../filter/filter-tree.ts";
import { ToolButton } from "./tool-button.tsx";

interface Props {
  fields: readonly Field[];
  filter: Filter | null;
  opened: boolean;
  onOpened(opened: boolean): void;
  onFilter(filter: Filter | null): void;
}

/** The button of the filter with the number of its conditions, and a popover with the builder. */
export function FilterMenu({ fields, filter, opened, onOpened, onFilter }: Props) {
  const count = countConditions(filter);
  return (
    <Popover
      opened={opened}
      onChange={onOpened}
      position="bottom-start"
      shadow="md"
      radius="lg"
      trapFocus
      returnFocus
      closeOnEscape={false}
    >
      <Popover.Target>
        <ToolButton
          icon={IconFilter}
          label={messages.filter()}
          isActive={count > 0}
          count={count}
          onClick={() => onOpened(!opened)}
        />
      </Popover.Target>
      <Popover.Dropdown
        w="min(660px, 96vw)"
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          if (!isListOpen(event.target)) onOpened(false);
        }}
      >
        <FilterBuilder
          fields={fields}
          filter={filter}
          emptyHint={messages.noFilter()}
          operands="times"
          onFilter={onFilter}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Escape closes an open list of choices first, and the filter only then. */
function isListOpen(at: EventTarget): boolean {
  return at instanceof Element && at.closest('[aria-expanded="true"]') !== null;
}
