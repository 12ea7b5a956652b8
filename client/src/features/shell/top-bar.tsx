import { ActionIcon, Menu, Tooltip, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import { spotlight } from "@mantine/spotlight";
import { IconDeviceDesktop, IconMenu2, IconMoon, IconSearch, IconSun } from "@tabler/icons-react";
import { shellMessages as messages } from "../../messages/en/shell.ts";
import { schemes } from "../../ui/schemes.ts";
import { Breadcrumb } from "./breadcrumb.tsx";
import { ConnectionPill } from "./connection-pill.tsx";
import { MeMenu } from "./me-menu.tsx";
import { MentionsMenu } from "./mentions-menu.tsx";
import { PresenceMenu } from "./presence-menu.tsx";
import { ReviewMenu } from "./review-menu.tsx";
import { MOD_KEY } from "./shortcuts.ts";
import classes from "./top-bar.module.css";

const icons = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop } as const;

/** Breadcrumb, search, connection status, other users, theme and account. */
export function TopBar({ onMenu }: { onMenu: () => void }) {
  return (
    <header className={classes.bar}>
      <ActionIcon className={classes.menu} aria-label={messages.openNavigation()} onClick={onMenu}>
        <IconMenu2 size={18} stroke={1.6} />
      </ActionIcon>
      <Breadcrumb />
      <UnstyledButton
        className={classes.search}
        onClick={spotlight.open}
        aria-keyshortcuts="Control+K Meta+K"
      >
        <IconSearch size={15} stroke={1.8} aria-hidden="true" />
        <span className={classes.label}>{messages.searchPlaceholder()}</span>
        <span className={classes.key} aria-hidden="true">
          {MOD_KEY} K
        </span>
      </UnstyledButton>
      <div className={classes.end}>
        <ReviewMenu />
        <ConnectionPill />
        <PresenceMenu />
        <MentionsMenu />
        <Tooltip label={messages.themeHint()}>
          <div className={classes.theme}>
            <ThemeMenu />
          </div>
        </Tooltip>
        <MeMenu />
      </div>
    </header>
  );
}

/** Chooses the light, dark or system theme. */
function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Shape = icons[colorScheme];
  const current = schemes.find(({ value }) => value === colorScheme)?.label;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={messages.theme({ theme: current ?? "" })}>
          <Shape size={18} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(value) => setColorScheme(value as typeof colorScheme)}
        >
          {schemes.map(({ value, label }) => (
            <Menu.RadioItem key={value} value={value}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
