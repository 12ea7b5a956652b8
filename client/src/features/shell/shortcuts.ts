const apple = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "");

/** The key that modifies shortcuts, as it is printed on this person's keyboard. */
export const MOD_KEY = apple ? "⌘" : "Ctrl";

interface ShortcutGroup {
  title: string;
  shortcuts: { keys: string[]; does: string }[];
}

/** Every shortcut of the product, for the sheet on `?`. A shortcut that is not here does not exist. */
export const shortcutGroups: ShortcutGroup[] = [
  {
    title: "Everywhere",
    shortcuts: [
      { keys: [MOD_KEY, "K"], does: "Search, or jump to a table or an action" },
      { keys: ["?"], does: "This sheet" },
      { keys: ["["], does: "Fold or unfold the sidebar" },
      { keys: ["Esc"], does: "Close what is open" },
    ],
  },
  {
    title: "In a table",
    shortcuts: [
      { keys: ["↑", "↓", "←", "→"], does: "Move" },
      { keys: ["Enter"], does: "Edit, or confirm and go down" },
      { keys: ["F2"], does: "Edit the cell" },
      { keys: ["Tab"], does: "Confirm and go right" },
      { keys: ["Esc"], does: "Leave the cell as it was" },
      { keys: ["Shift", "↑↓←→"], does: "Select a range" },
      { keys: [MOD_KEY, "C"], does: "Copy the range" },
      { keys: [MOD_KEY, "V"], does: "Paste a range, also from a spreadsheet" },
      { keys: [MOD_KEY, "Z"], does: "Undo" },
      { keys: [MOD_KEY, "Shift", "Z"], does: "Redo" },
      { keys: ["Delete"], does: "Clear the range" },
      { keys: [MOD_KEY, "D"], does: "Fill the range down with its first row" },
      { keys: ["Space"], does: "Select the record, or turn a yes into a no" },
      { keys: ["Alt", "Enter"], does: "Open the record; in a header, the column's menu" },
      { keys: [MOD_KEY, "Enter"], does: "New record" },
      { keys: [MOD_KEY, "Delete"], does: "Delete the record, or the selected ones" },
    ],
  },
  {
    title: "On a board",
    shortcuts: [
      { keys: ["↑", "↓", "←", "→"], does: "Go from card to card" },
      { keys: ["Enter"], does: "Open the record" },
      { keys: ["M"], does: "Move the card: its moves, or the options of the field" },
      { keys: [MOD_KEY, "Z"], does: "Undo" },
      { keys: [MOD_KEY, "Shift", "Z"], does: "Redo" },
    ],
  },
];
