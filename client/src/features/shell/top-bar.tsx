import { ActionIcon, Tooltip, UnstyledButton } from "@mantine/core";
import { spotlight } from "@mantine/spotlight";
import { IconMenu2, IconSearch } from "@tabler/icons-react";
import { shellMessages as messages } from "../../messages/en/shell.ts";
import { Breadcrumb } from "./breadcrumb.tsx";
import { ConnectionPill } from "./connection-pill.tsx";
import { MeMenu } from "./me-menu.tsx";
import { MentionsMenu } from "./mentions-menu.tsx";
import { PresenceMenu } from "./presence-menu.tsx";
import { ReviewMenu } from "./review-menu.tsx";
import { MOD_KEY } from "./shortcuts.ts";
import { ThemeMenu } from "./theme-menu.tsx";
import classes from "./top-bar.module.css";

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
