import { IconFilter } from "@tabler/icons-react";
import type { Filter } from "../../../../shared/filter/filter.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { filterMessages as messages } from "../../messages/en/filter.ts";
import { TitledPopover } from "../../ui/titled-popover.tsx";
import type { OfferedCondition } from "../filter/field-list.tsx";
import { FilterBuilder } from "../filter/filter-builder.tsx";
import { countConditions } from "../filter/filter-tree.ts";
import { ToolButton } from "./tool-button.tsx";

interface Props {
  fields: readonly Field[];
  /** A condition that is often wanted, offered before the fields. */
  offered: OfferedCondition | null;
  filter: Filter | null;
  opened: boolean;
  onOpened(opened: boolean): void;
  onFilter(filter: Filter | null): void;
}

/** The button of the filter with the number of its conditions, and a popover with the builder. */
export function FilterMenu(props: Props) {
  const { fields, offered, filter, opened, onOpened, onFilter } = props;
  const count = countConditions(filter);
  return (
    <TitledPopover
      opened={opened}
      onOpened={onOpened}
      closeOnEscape={false}
      target={
        <ToolButton
          icon={IconFilter}
          label={messages.filter()}
          value={count}
          onClick={() => onOpened(!opened)}
        />
      }
      title={messages.filter()}
      wide
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        if (!isListOpen(event.target)) onOpened(false);
      }}
    >
      <FilterBuilder
        fields={fields}
        filter={filter}
        begins={{ offered }}
        operands="times"
        onFilter={onFilter}
      />
    </TitledPopover>
  );
}

/** Escape closes an open list of choices first, and the filter only then. */
function isListOpen(at: EventTarget): boolean {
  return (
    at instanceof Element && at.closest('[aria-expanded="true"]:not([data-always-open])') !== null
  );
}
