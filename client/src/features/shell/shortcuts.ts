import { shortcutMessages as messages } from "../../messages/en/shortcuts.ts";
import { gridShortcuts } from "../../ui/grid-keys.ts";
import { MOD_KEY } from "../../ui/mod-key.ts";

interface ShortcutGroup {
  title(): string;
  shortcuts: { keys: readonly string[]; description(): string }[];
}

/** All shortcuts of the product, for the list on `?`. */
export const shortcutGroups: ShortcutGroup[] = [
  {
    title: messages.everywhere,
    shortcuts: [
      { keys: [MOD_KEY, "K"], description: messages.search },
      { keys: ["?"], description: messages.help },
      { keys: [MOD_KEY, "/"], description: messages.helpInCell },
      { keys: ["["], description: messages.toggleSidebar },
      { keys: ["F6"], description: messages.nextPart },
      { keys: ["Esc"], description: messages.close },
    ],
  },
  {
    title: messages.inTable,
    shortcuts: gridShortcuts(false),
  },
  {
    title: messages.inPanel,
    shortcuts: [
      { keys: [MOD_KEY, "Z"], description: messages.undo },
      { keys: [MOD_KEY, "Shift", "Z"], description: messages.redo },
      { keys: ["Alt", "H"], description: messages.fieldHistory },
    ],
  },
  {
    title: messages.inRange,
    shortcuts: [
      ...gridShortcuts(true),
      { keys: ["Tab", "Enter"], description: messages.traverseRange },
      { keys: [MOD_KEY], description: messages.addRange },
      { keys: [MOD_KEY, "C"], description: messages.copyRange },
      { keys: [MOD_KEY, "X"], description: messages.cutRange },
      { keys: [MOD_KEY, "V"], description: messages.pasteRange },
      { keys: [MOD_KEY, "Enter"], description: messages.fillTyped },
    ],
  },
  {
    title: messages.onBoard,
    shortcuts: [
      { keys: ["↑", "↓", "←", "→"], description: messages.moveCard },
      { keys: ["Enter"], description: messages.openCard },
      { keys: ["M"], description: messages.changeCard },
      { keys: ["Shift", "←→"], description: messages.shiftCard },
      { keys: [MOD_KEY, "Z"], description: messages.undo },
      { keys: [MOD_KEY, "Shift", "Z"], description: messages.redo },
    ],
  },
];
