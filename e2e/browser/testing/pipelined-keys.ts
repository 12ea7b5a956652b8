import { setTimeout } from "node:timers/promises";
import type { Page } from "playwright";

const named: Record<string, { key: string; code: string; windowsVirtualKeyCode: number }> = {
  "\t": { key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 },
  "\n": { key: "Enter", code: "Enter", windowsVirtualKeyCode: 13 },
  "\b": { key: "Backspace", code: "Backspace", windowsVirtualKeyCode: 8 },
};

/**
 * Types a text as a user or a scanner does: each key comes `everyMs` after the one before, whether the page has handled
 * that or not. A driver that awaits each key gives the page time that nobody gives it. Tab and Enter are `\\t` and `\\n`.
 */
export async function typePipelined(page: Page, text: string, everyMs: number): Promise<void> {
  const client = await page.context().newCDPSession(page);
  const sent: Promise<unknown>[] = [];
  for (const character of text) {
    const special = named[character];
    const typed = character === "\n" ? "\r" : character;
    const isText = !special || character === "\n";
    const key = special ?? { key: character };
    sent.push(
      client.send("Input.dispatchKeyEvent", {
        type: isText ? "keyDown" : "rawKeyDown",
        ...key,
        ...(isText && { text: typed, unmodifiedText: typed }),
      }),
      client.send("Input.dispatchKeyEvent", { type: "keyUp", ...key }),
    );
    if (everyMs > 0) await setTimeout(everyMs);
  }
  await Promise.all(sent);
  await client.detach();
}
