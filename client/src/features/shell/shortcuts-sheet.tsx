import { Kbd, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Fragment, useEffect } from "react";
import { shellMessages as messages } from "../../messages/en/shell.ts";
import {
  setSidebarCollapsed,
  sidebarCollapsedAtom,
  singleKeysEnabled,
} from "../../state/preferences.ts";
import { useAtom } from "../../state/use-atom.ts";
import { Hint } from "../../ui/texts.ts";
import { useLatest } from "../../ui/use-latest.ts";
import { shortcutGroups } from "./shortcuts.ts";
import classes from "./shortcuts-sheet.module.css";

/** Elements in which a typed character is text or begins an edit: shortcuts are off there. */
const TYPING =
  'input, textarea, select, [contenteditable="true"], [role="grid"], [role="treegrid"], [role="textbox"]';
const OPEN_EVENT = "watchfloor:shortcuts";

/** Opens the list of shortcuts, as from a menu. */
export function openShortcuts(): void {
  globalThis.dispatchEvent(new Event(OPEN_EVENT));
}

/** The list of shortcuts on `?`, and the shortcuts of the shell itself. */
export function ShortcutsSheet() {
  const [opened, { open, close, toggle }] = useDisclosure(false);
  const collapsed = useAtom(sidebarCollapsedAtom);
  useSingleKeys({
    "?": toggle,
    "[": () => setSidebarCollapsed(!collapsed),
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isHelp = event.key === "/" && (event.ctrlKey || event.metaKey) && !event.altKey;
      if (!isHelp || event.defaultPrevented) return;
      event.preventDefault();
      toggle();
    };
    globalThis.addEventListener(OPEN_EVENT, open);
    document.addEventListener("keydown", onKey);
    return () => {
      globalThis.removeEventListener(OPEN_EVENT, open);
      document.removeEventListener("keydown", onKey);
    };
  }, [open, toggle]);
  return (
    <Modal
      padding="lg"
      opened={opened}
      onClose={close}
      title={messages.keyboardShortcuts()}
      size="lg"
    >
      <div className={classes.groups}>
        {shortcutGroups.map((group) => (
          <section key={group.title()}>
            <Hint component="h3" mb={8} fz="xs" fw={550}>
              {group.title()}
            </Hint>
            <dl className={classes.list}>
              {group.shortcuts.map(({ keys, description }) => (
                <Fragment key={description()}>
                  <dt>{description()}</dt>
                  <dd>
                    {keys.map((key) => (
                      <Kbd key={key} ff="text">
                        {key}
                      </Kbd>
                    ))}
                  </dd>
                </Fragment>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}

/**
 * Shortcuts of one character. Users can turn them off (WCAG 2.1.4), because speech input and slips of the hand type
 * characters unintentionally.
 */
function useSingleKeys(keys: Record<string, () => void>): void {
  const latest = useLatest(keys);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!singleKeysEnabled() || isTyping(event.target)) return;
      const run = latest.current[event.key];
      if (!run) return;
      event.preventDefault();
      run();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TYPING) !== null;
}
