import { uiMessages as messages } from "../messages/en/ui.ts";
import { toast, toastFailure } from "./toast.tsx";

/** Copies a text and confirms it by a toast. */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    toastFailure(messages.copyFailed({ text }));
  }
}
