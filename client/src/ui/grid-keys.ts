import { shortcutMessages as messages } from "../messages/en/shortcuts.ts";
import { isApple, MOD_KEY } from "./mod-key.ts";

/** A command of the rows of a table, as its users meet it. */
export interface KeyCommand {
  /** The keys with their modifiers; "mod" is Ctrl or ⌘. */
  keys: readonly string[];
  /** What it does, for the list of shortcuts; none where another line of the list says so. */
  label?(): string;
  /** Its keys as the list shows them, where that is not the first of them. */
  shown?: readonly string[];
  /**
   * A command is of the cell with the cursor, unless it is also one of the rows, where the cursor is on a heading or on a row for new records,
   * or of the page, wherever no text is typed.
   */
  when?: "rows" | "page";
  /** In the list, it is among what is done with ranges. */
  ofRange?: true;
}

const arrows = (before = "") => ["Up", "Down", "Left", "Right"].map((to) => `${before}Arrow${to}`);

/**
 * All key commands of the rows of a table: the only place that says which command a key is. The grid performs them by name (`runKey` in
 * `features/grid/keys/key-commands.ts`), on a cell and, if they are for everywhere, on headings; the list of shortcuts shows them in this order.
 * While a cell is edited its keys are the editor's (`tab-and-enter.ts` beside it), and a heading or a row for new records has a few of its own
 * (`features/grid/groups/extra-row-keys.ts`).
 */
export const gridKeys = {
  moveUpDown: { keys: ["ArrowUp", "ArrowDown"], when: "rows" },
  move: {
    keys: ["ArrowLeft", "ArrowRight"],
    label: messages.moveCell,
    shown: ["↑", "↓", "←", "→"],
  },
  edit: { keys: ["Enter"], label: messages.editOrConfirm },
  editOnly: { keys: ["F2"], label: messages.edit },
  tab: { keys: ["Tab", "shift+Tab"], label: messages.confirmRight },
  enterUp: { keys: ["shift+Enter"], label: messages.confirmUp },
  collapseRange: { keys: ["Escape"], label: messages.cancelEdit, shown: ["Esc"] },
  rowEnds: {
    keys: ["Home", "End"],
    label: messages.rowEnds,
    shown: ["Home", "End"],
    when: "rows",
  },
  tableEnds: {
    keys: ["mod+Home", "mod+End"],
    label: messages.tableEnds,
    shown: [MOD_KEY, "Home", "End"],
    when: "rows",
  },
  page: {
    keys: ["PageUp", "PageDown"],
    label: messages.page,
    shown: ["PageUp", "PageDown"],
    when: "rows",
  },
  dataEdge: {
    keys: arrows("mod+"),
    label: messages.dataEdge,
    shown: [MOD_KEY, "↑↓←→"],
    when: "rows",
  },
  // On a Mac, this key deletes.
  scrollToFocus: { keys: ["mod+Backspace"], ...(!isApple && { label: messages.scrollToFocus }) },
  openChoices: { keys: ["alt+ArrowDown"], label: messages.openChoices, shown: ["Alt", "↓"] },
  // Some keyboards have these characters with Shift, others without.
  insertDate: { keys: ["mod+;", "mod+shift+;"], label: messages.insertDate },
  insertTime: {
    keys: ["mod+:", "mod+shift+:"],
    label: messages.insertTime,
    shown: [MOD_KEY, "Shift", ";"],
  },
  find: { keys: ["mod+f"], label: messages.find, when: "rows" },
  // On a Mac, ⌘H hides the program.
  replace: { keys: ["mod+h"], ...(!isApple && { label: messages.replace }) },
  replaceOnMac: { keys: ["mod+shift+h"], ...(isApple && { label: messages.replace }) },
  undo: { keys: ["mod+z"], label: messages.undo, when: "page" },
  redo: { keys: ["mod+shift+z", "mod+y"], label: messages.redo, when: "page" },
  toggle: { keys: [" "], label: messages.selectRecord, shown: ["Space"] },
  openRecord: { keys: ["alt+Enter"], label: messages.openRecord },
  openLinked: { keys: ["alt+shift+Enter"], label: messages.openLinked },
  cellMenu: { keys: ["shift+F10", "ContextMenu"], label: messages.cellMenu },
  moveRows: {
    keys: ["ArrowUp", "ArrowDown", "Home", "End"].map((key) => `alt+shift+${key}`),
    label: messages.moveRows,
    shown: ["Alt", "Shift", "↑↓"],
  },
  newRecord: { keys: ["mod+Enter"], label: messages.newRecord },
  deleteRecords: { keys: ["mod+Delete"], label: messages.deleteRecord },
  extendRange: {
    keys: [
      ...arrows("shift+"),
      ...arrows("mod+shift+"),
      ...["Home", "End", "PageUp", "PageDown"].map((key) => `shift+${key}`),
      ...["mod+shift+Home", "mod+shift+End"],
    ],
    label: messages.selectRange,
    shown: ["Shift", "↑↓←→"],
    ofRange: true,
  },
  selectRows: {
    keys: ["shift+ "],
    label: messages.selectRows,
    shown: ["Shift", "Space"],
    ofRange: true,
  },
  selectColumns: {
    keys: ["mod+ "],
    label: messages.selectColumns,
    shown: [MOD_KEY, "Space"],
    ofRange: true,
  },
  selectAll: { keys: ["mod+a", "mod+shift+ "], label: messages.selectAll, ofRange: true },
  clear: { keys: ["Delete", "Backspace"], label: messages.clearRange, ofRange: true },
  fillDown: { keys: ["mod+d"], label: messages.fillDown, ofRange: true },
  fillRight: { keys: ["mod+r"], label: messages.fillRight, ofRange: true },
} satisfies Record<string, KeyCommand>;

export type GridCommand = keyof typeof gridKeys;

interface Shortcut {
  keys: readonly string[];
  description(): string;
}

/** The lines of the list of shortcuts: those of cells, or those of ranges. */
export function gridShortcuts(ofRange: boolean): Shortcut[] {
  return Object.values<KeyCommand>(gridKeys).flatMap(({ keys, label, shown, ...rest }) =>
    label && (rest.ofRange ?? false) === ofRange
      ? [{ keys: shown ?? keyCaps(keys[0] ?? ""), description: label }]
      : [],
  );
}

/** A key with its modifiers, as printed on the user's keyboard. */
function keyCaps(name: string): string[] {
  const caps: Record<string, string> = { mod: MOD_KEY, shift: "Shift", alt: "Alt" };
  return name
    .split("+")
    .map((part) => caps[part] ?? (part.length === 1 ? part.toUpperCase() : part));
}
