import { setTimeout } from "node:timers/promises";
import type { CDPSession, Page } from "playwright";

/** A character, a named key such as `Shift+Tab`, or Ctrl+V. */
export type Pressed = { type: string } | { press: string } | { paste: unknown };

const control: Readonly<Record<string, string>> = { "\t": "Tab", "\n": "Enter", "\b": "Backspace" };

const SHIFT = 8;
const CONTROL = 2;

const codes: Readonly<Record<string, number>> = {
  Tab: 9,
  Enter: 13,
  Escape: 27,
  " ": 32,
  End: 35,
  Home: 36,
  ArrowLeft: 37,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
  Delete: 46,
  Backspace: 8,
  F2: 113,
  "-": 189,
  ".": 190,
};

/**
 * Sends a key to the browser without waiting until the page has handled it: the next one is on its way meanwhile, as from a keyboard.
 * The promise is for the end of a series.
 */
export function pressKey(keys: CDPSession, key: Pressed): Promise<unknown> {
  if ("type" in key)
    return send(keys, {
      key: key.type,
      text: key.type,
      windowsVirtualKeyCode: codes[key.type] ?? key.type.toUpperCase().charCodeAt(0),
    });
  if ("paste" in key)
    return send(keys, {
      key: "v",
      code: "KeyV",
      windowsVirtualKeyCode: 86,
      modifiers: CONTROL,
      commands: ["paste"],
    });
  if (key.press === "New")
    return send(keys, { key: "Enter", windowsVirtualKeyCode: 13, modifiers: CONTROL });
  const name = key.press.replace("Shift+", "");
  const modifiers = key.press.startsWith("Shift+") ? SHIFT : 0;
  const text = name === "Enter" && modifiers === 0 ? { text: "\r" } : {};
  return send(keys, {
    key: name,
    code: name,
    windowsVirtualKeyCode: codes[name] ?? 0,
    modifiers,
    ...text,
  });
}

type KeyEvent = {
  key: string;
  code?: string;
  text?: string;
  windowsVirtualKeyCode: number;
  modifiers?: number;
  commands?: string[];
};

function send(keys: CDPSession, { text, commands, ...event }: KeyEvent): Promise<unknown> {
  const down = {
    type: text === undefined ? ("rawKeyDown" as const) : ("keyDown" as const),
    ...event,
  };
  return Promise.all([
    keys.send("Input.dispatchKeyEvent", {
      ...down,
      ...(text !== undefined && { text }),
      ...(commands && { commands }),
    }),
    keys.send("Input.dispatchKeyEvent", { type: "keyUp", ...event }),
  ]);
}

/**
 * Types a text as a user or a scanner does: each key comes `everyMs` after the one before, whether the page has handled
 * that or not. A driver that awaits each key gives the page time that nobody gives it. Tab and Enter are `\\t` and `\\n`.
 */
export async function typePipelined(page: Page, text: string, everyMs: number): Promise<void> {
  const keys = await page.context().newCDPSession(page);
  const sent: Promise<unknown>[] = [];
  for (const character of text) {
    const name = control[character];
    sent.push(pressKey(keys, name ? { press: name } : { type: character }));
    if (everyMs > 0) await setTimeout(everyMs);
  }
  await Promise.all(sent);
  await keys.detach();
}
