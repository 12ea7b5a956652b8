import { Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type ComponentType, lazy, Suspense, useEffect } from "react";
import { shellMessages as messages } from "../../messages/en/shell.ts";
import { uiMessages } from "../../messages/en/ui.ts";
import {
  setSidebarCollapsed,
  sidebarCollapsedAtom,
  singleKeysEnabled,
} from "../../state/preferences.ts";
import { useAtom } from "../../state/use-atom.ts";
import { useLatest } from "../../ui/use-latest.ts";

/** The list is long and rarely read. It is prefetched with the screens. */
const ShortcutList = lazy(() =>
  import("./shortcut-list.tsx").then(
    (loaded): { default: ComponentType } => ({ default: loaded.ShortcutList }),
    () => ({ default: uiMessages.notLoaded }),
  ),
);

/** Elements in which a typed character is text or begins an edit: shortcuts are off there. */
const TYPING =
  'input, textarea, select, [contenteditable="true"], [role="grid"], [role="treegrid"], [role="textbox"]';
/** The parts of the page, none inside another. */
const PARTS = [
  ...["nav:not(header nav)", "header:not(main header)", '[role="toolbar"]', ".ag-root-wrapper"],
  ...["footer", "aside", 'main:not(:has([role="toolbar"], .ag-root-wrapper))'],
].join();
const FOCUSABLE = "a[href], button:not(:disabled), input:not(:disabled), textarea, [tabindex]";
const OPEN_EVENT = "watchfloor:shortcuts";

/** Opens the list of shortcuts, as from a menu. */
export function openShortcuts(): void {
  globalThis.dispatchEvent(new Event(OPEN_EVENT));
}

/** The list of shortcuts on `?`, and the shortcuts of the shell itself: F6 leaves every part of the page, also a grid, where Tab goes from cell to cell. */
export function ShortcutsSheet() {
  const [opened, { open, close, toggle }] = useDisclosure(false);
  const collapsed = useAtom(sidebarCollapsedAtom);
  useSingleKeys({
    "?": toggle,
    "[": () => setSidebarCollapsed(!collapsed),
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "F6" && !event.defaultPrevented && !event.ctrlKey && !event.altKey) {
        event.preventDefault();
        goToNextPart(event.shiftKey);
        return;
      }
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
      <Suspense fallback={null}>
        <ShortcutList />
      </Suspense>
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

/** Moves the focus to the first control of the next part of the page, or of the previous one. */
function goToNextPart(back: boolean): void {
  const { activeElement } = document;
  const parts = [...document.querySelectorAll(PARTS)].filter((part) => firstIn(part));
  const at = parts.findLastIndex((part) => part.contains(activeElement));
  const next = back ? parts.at(Math.max(at, 0) - 1) : parts[(at + 1) % parts.length];
  if (next) firstIn(next)?.focus();
}

/** In a grid this is what is before its rows, and leads to the cell that had the focus last. */
function firstIn(part: Element): HTMLElement | undefined {
  const all = [...part.querySelectorAll<HTMLElement>(FOCUSABLE)];
  return all.find((element) => element.tabIndex >= 0 && element.checkVisibility());
}
