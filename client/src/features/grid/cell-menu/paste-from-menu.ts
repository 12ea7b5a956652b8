import { cellMenuMessages as messages } from "../../../messages/en/cell-menu.ts";
import { toastFailure } from "../../../ui/toast.tsx";
import { pasteRange } from "../actions/paste-range.ts";
import type { GridController } from "../grid-controller.ts";

/** Pastes what is on the clipboard. Browsers may refuse to read it other than by the keys. */
export async function pasteFromMenu(grid: GridController): Promise<void> {
  const data = new Map<string, string>();
  try {
    for (const item of await navigator.clipboard.read()) {
      for (const type of item.types.filter((one) => one.startsWith("text/"))) {
        data.set(type, await (await item.getType(type)).text());
      }
    }
  } catch {
    toastFailure(messages.pasteByKeys());
    return;
  }
  await pasteRange(grid, { getData: (type) => data.get(type) ?? "" });
}
