import { ActionIcon, Menu } from "@mantine/core";
import { IconArrowRight, IconX } from "@tabler/icons-react";
import type { Option } from "../../../../../shared/model/model.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";

interface Props {
  option: Option;
  /** The options that can replace it; none if no record can have it yet. */
  others: readonly Option[];
  onRemove(): void;
  onReplace(by: string): void;
}

/** Removes an option. Records may have a published one, so another option can replace it there. */
export function RemoveOption({ option, others, onRemove, onReplace }: Props) {
  const label = labelOf(option);
  const icon = <IconX size={15} />;
  if (others.length === 0) {
    return (
      <ActionIcon size="sm" aria-label={messages.removeNamed({ name: label })} onClick={onRemove}>
        {icon}
      </ActionIcon>
    );
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size="sm" aria-label={messages.removeNamed({ name: label })}>
          {icon}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: "auto" }}>
        <Menu.Label>{messages.replaceOption({ option: label })}</Menu.Label>
        {others.map((other) => (
          <Menu.Item
            key={other.value}
            leftSection={<IconArrowRight size={15} aria-hidden="true" />}
            onClick={() => onReplace(other.value)}
          >
            {messages.replaceBy({ option: labelOf(other) })}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item color="var(--wf-bad)" leftSection={icon} onClick={onRemove}>
          {messages.clearOption()}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

export function labelOf({ label, value }: Option): string {
  return label ?? value;
}
