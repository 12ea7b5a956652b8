import { toast, toastFailure } from "./toast.tsx";

/** Puts a text on the clipboard and says so. */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    toastFailure(`This browser does not let pages copy. The text is: ${text}`);
  }
}
