import { Menu } from "@mantine/core";
import { type KeyboardEvent, type ReactNode, useRef } from "react";

/** An item of a menu that opens more items beside it. */
export function SubMenu(props: { label: string; icon: ReactNode; children: ReactNode }) {
  const item = useRef<HTMLButtonElement>(null);
  // Mantine closes them and looks for the item by an id that it does not have: the focus would be nowhere.
  const giveFocusBack = ({ key }: KeyboardEvent) => {
    if (key === "ArrowLeft") item.current?.focus();
  };
  return (
    <Menu.Sub>
      <Menu.Sub.Target>
        <Menu.Sub.Item ref={item} leftSection={props.icon}>
          {props.label}
        </Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown onKeyDown={giveFocusBack}>{props.children}</Menu.Sub.Dropdown>
    </Menu.Sub>
  );
}
