import { ActionIcon, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import type { ReactNode } from "react";

interface Props {
  /** The name of the button: actions for what. */
  label: string;
  width?: number;
  /** Of the button. */
  className?: string | undefined;
  /** The items. */
  children: ReactNode;
}

/** The menu of the actions for one item of a list. */
export function ActionsMenu({ label, width, className = "", children }: Props) {
  return (
    <Menu position="bottom-end" {...(width && { width })}>
      <Menu.Target>
        <ActionIcon className={className} aria-label={label}>
          <IconDots size={18} stroke={1.6} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
