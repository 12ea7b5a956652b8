import { useEffect, useRef } from "react";
import { singleKeysEnabled } from "../../state/preferences.ts";

/** Elements in which a typed character is text or begins an edit: shortcuts are off there. */
const TYPING =
  'input, textarea, select, [contenteditable="true"], [role="grid"], [role="treegrid"], [role="textbox"]';

/**
 * Shortcuts of one character. Users can turn them off (WCAG 2.1.4), because speech input and slips of the hand type
 * characters unintentionally.
 */
export function useSingleKeys(keys: Record<string, () => void>): void {
  const latest = useRef(keys);
  latest.current = keys;
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
