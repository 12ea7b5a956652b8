import { Menu } from "@mantine/core";
import { IconCheck, IconLayoutColumns } from "@tabler/icons-react";
import type { Field } from "../../../../shared/model/model.ts";
import { boardMessages as messages } from "../../messages/en/board.ts";
import { ToolButton } from "../../records/toolbar/tool-button.tsx";

interface Props {
  /** The fields by which the board can be grouped. */
  fields: readonly Field[];
  current: Field;
  onGroup(field: Field): void;
}

/** Chooses the field by which the board is grouped. Hidden if there is only one. */
export function GroupMenu({ fields, current, onGroup }: Props) {
  if (fields.length < 2) return null;
  return (
    <Menu position="bottom-start" width={220} returnFocus>
      <Menu.Target>
        <ToolButton
          icon={IconLayoutColumns}
          label={messages.by({ field: current.label })}
          aria-label={messages.groupByField({ field: current.label })}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{messages.groupBy()}</Menu.Label>
        {fields.map((field) => (
          <Menu.Item
            key={field.name}
            aria-current={field === current || undefined}
            rightSection={field === current && <IconCheck size={16} aria-hidden="true" />}
            onClick={() => onGroup(field)}
          >
            {field.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
