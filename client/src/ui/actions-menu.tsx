import { ActionIcon, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import type { ReactNode } from "react";

interface Props {
  /** The name of the button: actions for what. */
  label: string;
  width?: number;
  /** Of the button, like its size in pixels. */
  className?: string | undefined;
  size?: number;
  /** The items. */
  children: ReactNode;
}

/** The menu of the actions for one item of a list. */
export function ActionsMenu({ label, width, className = "", size = 32, children }: Props) {
  return (
    <Menu position="bottom-end" {...(width && { width })}>
      <Menu.Target>
        <ActionIcon className={className} size={size} aria-label={label}>
          <IconDots size={size < 32 ? 16 : 18} stroke={1.6} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
