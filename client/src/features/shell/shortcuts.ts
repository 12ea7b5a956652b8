import { shortcutMessages as messages } from "../../messages/en/shortcuts.ts";

const apple = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "");

/** The modifier key of shortcuts, as printed on the user's keyboard. */
export const MOD_KEY = apple ? "⌘" : "Ctrl";

interface ShortcutGroup {
  title(): string;
  shortcuts: { keys: string[]; description(): string }[];
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
      { keys: ["Esc"], description: messages.close },
    ],
  },
  {
    title: messages.inTable,
    shortcuts: [
      { keys: ["↑", "↓", "←", "→"], description: messages.moveCell },
      { keys: ["Enter"], description: messages.editOrConfirm },
      { keys: ["F2"], description: messages.edit },
      { keys: ["Tab"], description: messages.confirmRight },
      { keys: ["Shift", "Enter"], description: messages.confirmUp },
      { keys: ["Esc"], description: messages.cancelEdit },
      { keys: ["Home", "End"], description: messages.rowEnds },
      { keys: [MOD_KEY, "Home", "End"], description: messages.tableEnds },
      { keys: ["PageUp", "PageDown"], description: messages.page },
      { keys: [MOD_KEY, "↑↓←→"], description: messages.dataEdge },
      // On a Mac, this key deletes.
      ...(apple ? [] : [{ keys: [MOD_KEY, "Backspace"], description: messages.scrollToFocus }]),
      { keys: ["Alt", "↓"], description: messages.openChoices },
      { keys: [MOD_KEY, ";"], description: messages.insertDate },
      { keys: [MOD_KEY, "Shift", ";"], description: messages.insertTime },
      { keys: [MOD_KEY, "F"], description: messages.find },
      // On a Mac, ⌘H hides the program.
      { keys: [MOD_KEY, ...(apple ? ["Shift"] : []), "H"], description: messages.replace },
      { keys: [MOD_KEY, "Z"], description: messages.undo },
      { keys: [MOD_KEY, "Shift", "Z"], description: messages.redo },
      { keys: ["Space"], description: messages.selectRecord },
      { keys: ["Alt", "Enter"], description: messages.openRecord },
      { keys: ["Alt", "Shift", "Enter"], description: messages.openLinked },
      { keys: ["Shift", "F10"], description: messages.cellMenu },
      { keys: [MOD_KEY, "Enter"], description: messages.newRecord },
      { keys: [MOD_KEY, "Delete"], description: messages.deleteRecord },
    ],
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
      { keys: ["Shift", "↑↓←→"], description: messages.selectRange },
      { keys: ["Tab", "Enter"], description: messages.traverseRange },
      { keys: ["Shift", "Space"], description: messages.selectRows },
      { keys: [MOD_KEY, "Space"], description: messages.selectColumns },
      { keys: [MOD_KEY, "A"], description: messages.selectAll },
      { keys: [MOD_KEY], description: messages.addRange },
      { keys: [MOD_KEY, "C"], description: messages.copyRange },
      { keys: [MOD_KEY, "X"], description: messages.cutRange },
      { keys: [MOD_KEY, "V"], description: messages.pasteRange },
      { keys: ["Delete"], description: messages.clearRange },
      { keys: [MOD_KEY, "D"], description: messages.fillDown },
      { keys: [MOD_KEY, "R"], description: messages.fillRight },
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
