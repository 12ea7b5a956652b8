import { Button, Menu } from "@mantine/core";
import { IconCheck, IconLayoutColumns } from "@tabler/icons-react";
import type { Field } from "../../../../shared/model/model.ts";
import bar from "../../ui/toolbar/toolbar.module.css";

interface Props {
  /** Those by which the board can stand in columns. */
  fields: readonly Field[];
  current: Field;
  onGroup(field: Field): void;
}

/** By which field the board stands in columns; nothing where there is no choice. */
export function GroupMenu({ fields, current, onGroup }: Props) {
  if (fields.length < 2) return null;
  return (
    <Menu position="bottom-start" width={220} returnFocus>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          fw={500}
          className={bar.iconic ?? ""}
          aria-label={`Group by: ${current.label}`}
          leftSection={<IconLayoutColumns size={16} aria-hidden="true" />}
        >
          <span className={bar.wide}>By {current.label}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Group by</Menu.Label>
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
