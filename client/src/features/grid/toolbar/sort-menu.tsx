import { Popover, Stack } from "@mantine/core";
import { IconArrowsSort } from "@tabler/icons-react";
import type { Field } from "../../../../../shared/model/model.ts";
import { uiMessages as messages } from "../../../messages/en/ui.ts";
import { SortKeys } from "../../../records/order/sort-keys.tsx";
import { ToolButton } from "../../../records/toolbar/tool-button.tsx";

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
        <ToolButton icon={IconArrowsSort} label={messages.sort()} count={count} />
      </Popover.Target>
      <Popover.Dropdown w="min(440px, 96vw)">
        <Stack gap={8} miw={260}>
          <SortKeys fields={fields} sort={sort} onSort={onSort} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
