import { ActionIcon, Menu } from "@mantine/core";
import { IconArrowRight, IconX } from "@tabler/icons-react";
import type { Option } from "../../../../../shared/model/model.ts";

interface Props {
  option: Option;
  /** The options that could stand for it; none where no record can hold it yet. */
  others: readonly Option[];
  onRemove(): void;
  onReplace(by: string): void;
}

/** Takes an option out. Records may hold one that is in force: another one can stand for it there. */
export function RemoveOption({ option, others, onRemove, onReplace }: Props) {
  const label = labelOf(option);
  const sign = <IconX size={15} />;
  if (others.length === 0) {
    return (
      <ActionIcon size="sm" aria-label={`Remove ${label}`} onClick={onRemove}>
        {sign}
      </ActionIcon>
    );
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size="sm" aria-label={`Remove ${label}`}>
          {sign}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: "auto" }}>
        <Menu.Label>Records that hold “{label}”</Menu.Label>
        {others.map((other) => (
          <Menu.Item
            key={other.value}
            leftSection={<IconArrowRight size={15} aria-hidden="true" />}
            onClick={() => onReplace(other.value)}
          >
            hold “{labelOf(other)}” instead
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item color="var(--wf-bad)" leftSection={sign} onClick={onRemove}>
          are emptied of it
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

export function labelOf({ label, value }: Option): string {
  return label ?? value;
}
