import type { CDPSession } from "playwright";
import type { Key } from "./typing-reference.ts";

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
export function pressKey(keys: CDPSession, key: Key): Promise<unknown> {
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
