import { Button, Popover } from "@mantine/core";
import { IconFilter } from "@tabler/icons-react";
import type { Filter } from "../../../../shared/filter/filter.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { filterMessages as messages } from "../../messages/en/filter.ts";
import type { LookUp } from "../fields/look-up.ts";
import { FilterBuilder } from "../filter/filter-builder.tsx";
import { countConditions } from "../filter/filter-tree.ts";
import classes from "./toolbar.module.css";

interface Props {
  fields: readonly Field[];
  filter: Filter | null;
  lookUp: LookUp;
  opened: boolean;
  onOpened(opened: boolean): void;
  onFilter(filter: Filter | null): void;
}

/** The button of the filter with the number of its conditions, and a popover with the builder. */
export function FilterMenu({ fields, filter, lookUp, opened, onOpened, onFilter }: Props) {
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
        <Button
          variant={count > 0 ? "light" : "subtle"}
          color={count > 0 ? undefined : "gray"}
          size="compact-sm"
          fw={500}
          className={classes.iconic ?? ""}
          leftSection={<IconFilter size={16} aria-hidden="true" />}
          onClick={() => onOpened(!opened)}
        >
          <span className={classes.wide}>{messages.filter()}</span>
          {count > 0 && <span className={classes.badge}>{count}</span>}
        </Button>
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
          lookUp={lookUp}
          emptyHint={messages.noFilter()}
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
