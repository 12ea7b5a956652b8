import { Menu, UnstyledButton } from "@mantine/core";
import { IconKeyboard, IconLogout, IconUserCircle } from "@tabler/icons-react";
import { Link } from "wouter";
import { shellMessages as messages } from "../../messages/en/shell.ts";
import { useMe } from "../../state/use-account.ts";
import { requestSignOut } from "../../sync/calls/account.ts";
import { initialsOf } from "../../ui/initials.ts";
import { UserAvatar } from "../../ui/user-avatar.tsx";
import classes from "./me-menu.module.css";
import { openShortcuts } from "./shortcuts-sheet.tsx";

/** The user's name, role and personal settings, and the way to sign out. */
export function MeMenu() {
  const me = useMe();
  return (
    <Menu position="bottom-end" width={232}>
      <Menu.Target>
        <UnstyledButton
          className={classes.me}
          aria-label={messages.userMenu({ initials: initialsOf(me.name), name: me.name })}
        >
          <UserAvatar name={me.name} colour={me.colour} size={26} decorative />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.who}>
          <strong>{me.name}</strong>
          <span>{me.email}</span>
          <span>{me.roleName}</span>
        </div>
        <Menu.Divider />
        <Menu.Item component={Link} href="/me" leftSection={<IconUserCircle size={16} />}>
          {messages.profileAndPreferences()}
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={openShortcuts}>
          {messages.keyboardShortcuts()}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={requestSignOut}>
          {messages.signOut()}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
