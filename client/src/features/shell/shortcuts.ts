const apple = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "");

/** The key that modifies shortcuts, as it is printed on this person's keyboard. */
export const MOD_KEY = apple ? "⌘" : "Ctrl";

interface ShortcutGroup {
  title: string;
  shortcuts: { keys: string[]; description: string }[];
}

/** Every shortcut of the product, for the sheet on `?`. A shortcut that is not here does not exist. */
export const shortcutGroups: ShortcutGroup[] = [
  {
    title: "Everywhere",
    shortcuts: [
      { keys: [MOD_KEY, "K"], description: "Search, or jump to a table or an action" },
      { keys: ["?"], description: "This sheet" },
      { keys: ["["], description: "Fold or unfold the sidebar" },
      { keys: ["Esc"], description: "Close what is open" },
    ],
  },
  {
    title: "In a table",
    shortcuts: [
      { keys: ["↑", "↓", "←", "→"], description: "Move" },
      { keys: ["Enter"], description: "Edit, or confirm and go down" },
      { keys: ["F2"], description: "Edit the cell" },
      { keys: ["Tab"], description: "Confirm and go right" },
      { keys: ["Esc"], description: "Leave the cell as it was" },
      { keys: ["Shift", "↑↓←→"], description: "Select a range" },
      { keys: [MOD_KEY, "C"], description: "Copy the range" },
      { keys: [MOD_KEY, "V"], description: "Paste a range, also from a spreadsheet" },
      { keys: [MOD_KEY, "Z"], description: "Undo" },
      { keys: [MOD_KEY, "Shift", "Z"], description: "Redo" },
      { keys: ["Delete"], description: "Clear the range" },
      { keys: [MOD_KEY, "D"], description: "Fill the range down with its first row" },
      { keys: ["Space"], description: "Select the record, or turn a yes into a no" },
      { keys: ["Alt", "Enter"], description: "Open the record; in a header, the column's menu" },
      { keys: [MOD_KEY, "Enter"], description: "New record" },
      { keys: [MOD_KEY, "Delete"], description: "Delete the record, or the selected ones" },
    ],
  },
  {
    title: "On a board",
    shortcuts: [
      { keys: ["↑", "↓", "←", "→"], description: "Go from card to card" },
      { keys: ["Enter"], description: "Open the record" },
      { keys: ["M"], description: "Move the card: its moves, or the options of the field" },
      { keys: [MOD_KEY, "Z"], description: "Undo" },
      { keys: [MOD_KEY, "Shift", "Z"], description: "Redo" },
    ],
  },
];
