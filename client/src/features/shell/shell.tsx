import { Drawer } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type ReactNode, useEffect } from "react";
import { useLocation } from "wouter";
import { TABLES_BOARD } from "../../../../shared/model/wallboard/tables-board.ts";
import { shellMessages as messages } from "../../messages/en/shell.ts";
import { useSidebarCollapsed } from "../../state/use-preferences.ts";
import { followWallboard } from "../../sync/wallboards/wallboards.ts";
import { announce } from "../../ui/announce.ts";
import { DisplayAlerts } from "./display-alerts.tsx";
import { OfflineBar } from "./offline-bar.tsx";
import { Palette } from "./palette.tsx";
import classes from "./shell.module.css";
import { ShortcutsSheet } from "./shortcuts-sheet.tsx";
import { Sidebar } from "./sidebar.tsx";
import { SignOutSheet } from "./sign-out-sheet.tsx";
import { TopBar } from "./top-bar.tsx";
import { useRightsChanges } from "./use-rights-changes.ts";

/** Gives a new screen time to set its title before the title is announced. */
const TITLE_DELAY_MS = 300;

/**
 * The frame of every signed-in screen: skip link, sidebar (a drawer on small screens), top bar,
 * the screen in the page's main landmark, command palette and shortcut sheet.
 */
export function Shell({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  const [drawer, { open, close }] = useDisclosure(false);
  const collapsed = useSidebarCollapsed();
  useAnnouncedScreen(path);
  useRightsChanges();
  useEffect(() => followWallboard(TABLES_BOARD, false), []);
  return (
    <div className={classes.frame} data-collapsed={collapsed || undefined}>
      <a className={classes.skip} href="#main">
        {messages.skipToContent()}
      </a>
      <div className={classes.sidebar}>
        <Sidebar collapsed={collapsed} />
      </div>
      <Drawer.Root
        opened={drawer}
        onClose={close}
        size={280}
        styles={{ content: { background: "var(--wf-chrome)" } }}
      >
        <Drawer.Overlay />
        <Drawer.Content aria-label={messages.navigation()}>
          <Sidebar collapsed={false} onLeave={close} />
        </Drawer.Content>
      </Drawer.Root>
      <div className={classes.panel}>
        <TopBar onMenu={open} />
        <OfflineBar />
        <main id="main" className={classes.main} tabIndex={-1}>
          {children}
        </main>
      </div>
      <Palette />
      <ShortcutsSheet />
      <SignOutSheet />
      <DisplayAlerts />
    </div>
  );
}

/** Announces a new screen's title to users of screen readers. */
function useAnnouncedScreen(path: string) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the path changes.
  useEffect(() => {
    const timer = setTimeout(() => announce(document.title.split(" · ")[0] ?? ""), TITLE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [path]);
}
