import { Button, Popover } from "@mantine/core";
import { IconArrowsSort } from "@tabler/icons-react";
import type { Field } from "../../../../../shared/model/model.ts";
import { uiMessages as messages } from "../../../messages/en/ui.ts";
import { SortKeys } from "../../../ui/order/sort-keys.tsx";
import bar from "../../../ui/toolbar/toolbar.module.css";
import classes from "./toolbar.module.css";

interface Props {
  fields: readonly Field[];
  sort: readonly string[];
  onSort(sort: string[]): void;
}

/** The button of the sort order with the number of its keys, and a popover that changes them. */
export function SortMenu({ fields, sort, onSort }: Props) {
  const count = sort.length;
  return (
    <Popover position="bottom-start" shadow="md" radius="lg" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          fw={500}
          className={bar.iconic ?? ""}
          leftSection={<IconArrowsSort size={16} aria-hidden="true" />}
        >
          <span className={bar.wide}>{messages.sort()}</span>
          {count > 0 && <span className={bar.badge}>{count}</span>}
        </Button>
      </Popover.Target>
      <Popover.Dropdown w="min(440px, 96vw)">
        <div className={classes.panel}>
          <SortKeys fields={fields} sort={sort} onSort={onSort} />
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
