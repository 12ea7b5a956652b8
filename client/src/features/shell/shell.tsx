import { Button, Drawer, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from "react";
import { useLocation } from "wouter";
import { TABLES_WALLBOARD } from "../../../../shared/model/wallboard/tables-wallboard.ts";
import { shellMessages as messages } from "../../messages/en/shell.ts";
import { LABEL_WAITING } from "../../records/fields/label-waiting.ts";
import { editCountsAtom } from "../../state/connection-state.ts";
import { panelTitleAtom } from "../../state/panel-title.ts";
import { sidebarCollapsedAtom } from "../../state/preferences.ts";
import { onUpdate } from "../../state/updates.ts";
import { useAccountData, useSignOutPhase } from "../../state/use-account.ts";
import { useAtom } from "../../state/use-atom.ts";
import { readAtom, watchAtom } from "../../state/watch-atom.ts";
import { hasUnsavedDrafts, signOut } from "../../sync/calls/account.ts";
import { followWallboard } from "../../sync/wallboards/wallboards.ts";
import { announce } from "../../ui/announce.ts";
import { DialogButtons } from "../../ui/dialog-buttons.tsx";
import { type Toast, toast, toastFailure } from "../../ui/toast.tsx";
import { OfflineBar } from "./offline-bar.tsx";
import { Palette } from "./palette.tsx";
import { noteRecent } from "./recents.ts";
import { describeRightsChange } from "./rights-changes.ts";
import classes from "./shell.module.css";
import { ShortcutsSheet } from "./shortcuts-sheet.tsx";
import { Sidebar } from "./sidebar.tsx";
import { TopBar } from "./top-bar.tsx";

/** Gives a new screen time to set its title before the title is announced. */
const TITLE_DELAY_MS = 300;

/**
 * The frame of every signed-in screen: skip link, sidebar (a drawer on small screens), top bar,
 * the screen in the page's main landmark, command palette and shortcut sheet.
 */
export function Shell({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  const [drawer, { open, close }] = useDisclosure(false);
  const collapsed = useAtom(sidebarCollapsedAtom);
  useAnnouncedScreen(path);
  useRightsChanges();
  useDisplayAlerts();
  useEffect(() => followWallboard(TABLES_WALLBOARD, false), []);
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
    </div>
  );
}

/** Announces a new screen's title to users of screen readers; that of a record once more if it is loaded later. */
function useAnnouncedScreen(path: string) {
  const isNamed = useSyncExternalStore(subscribeRecordName, () => recordName() !== null);
  useEffect(() => {
    const timer = setTimeout(() => {
      const title = (isNamed ? recordName() : null) ?? document.title.split(" · ")[0] ?? "";
      announce(title);
      noteRecent({ href: path, title });
    }, TITLE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [path, isNamed]);
}

const subscribeRecordName = (listener: () => void) => watchAtom(panelTitleAtom, listener);

/** What the record in the panel is called; null where there is none, or none yet. */
function recordName(): string | null {
  const { title = LABEL_WAITING } = readAtom(panelTitleAtom) ?? {};
  return title === LABEL_WAITING ? null : title;
}

/** Shows a toast when the user's rights change while the page is open. */
function useRightsChanges(): void {
  const account = useAccountData();
  const previous = useRef(account);
  useEffect(() => {
    const message = describeRightsChange(previous.current, account);
    previous.current = account;
    if (message) toast(message);
  }, [account]);
}

/** Notifies users who manage displays, on any screen, that a display went offline, as long as it is, or came back. */
function useDisplayAlerts(): void {
  useEffect(() => {
    const offline = new Map<string, Toast>();
    return onUpdate(["display"], (notice) => {
      if (!notice) return;
      const { id, name, status } = notice.display;
      offline.get(id)?.close();
      if (status === "offline") offline.set(id, toastFailure(messages.displayOffline({ name })));
      else toast(messages.displayOnline({ name }));
    });
  }, []);
}

/**
 * Signs out, after a confirmation if edits have not been sent or changes have not been saved. Goes on without it once all edits have been
 * sent, unless one of them has been refused: its author stays, to see it.
 */
function SignOutSheet() {
  const [phase, setPhase] = useSignOutPhase();
  const { waiting, conflicts, rejected } = useAtom(editCountsAtom);
  const refused = conflicts + rejected;
  const refusedBefore = useRef(refused);
  useEffect(() => {
    if (phase !== "asked") refusedBefore.current = refused;
    else if (refused > refusedBefore.current) setPhase("no");
    else if (waiting === 0 && !hasUnsavedDrafts()) setPhase("going");
  }, [phase, waiting, refused, setPhase]);
  useEffect(() => {
    if (phase !== "going") return;
    signOut().catch(() => {
      setPhase("no");
      toastFailure(messages.signOutFailed());
    });
  }, [phase, setPhase]);
  return (
    <Modal
      padding="lg"
      opened={phase === "asked"}
      onClose={() => setPhase("no")}
      title={
        waiting > 0 ? messages.signOutTitle({ count: waiting }) : messages.signOutDraftsTitle()
      }
      size={420}
    >
      <SignOutTexts waiting={waiting} />
      <DialogButtons onCancel={() => setPhase("no")}>
        <Button onClick={() => setPhase("going")}>{messages.signOutAnyway()}</Button>
      </DialogButtons>
    </Modal>
  );
}

function SignOutTexts({ waiting }: { waiting: number }) {
  return (
    <Stack mb="lg">
      {waiting > 0 && <Text>{messages.signOutText()}</Text>}
      {hasUnsavedDrafts() && <Text>{messages.signOutDraftsText()}</Text>}
    </Stack>
  );
}
