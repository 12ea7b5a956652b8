import { defineMessages } from "../define-messages.ts";

/** How rows and columns of a view look: heights, colours, places. */
export const lookMessages = defineMessages("look", {
  appearance: "Appearance",
  rowHeight: "Row height",
  short: "Short",
  medium: "Medium",
  tall: "Tall",
  rules: "Colour rules",
  rulesHint: "The first rule that fits wins. A cell's rule beats its row's.",
  rule: "Rule {number}",
  addRule: "Add colour rule",
  removeRule: "Remove rule {number}",
  moveRuleUp: "Move rule {number} up",
  ruleColour: "Colour of rule {number}",
  ruleTarget: "What rule {number} colours",
  wholeRow: "Whole row",
  ruleEmpty: "Add a condition. Without one, the rule has no effect.",
  rulesFull: "A view has at most {max} colour rules.",
  matchesRule: "{colour}: {rule}",
  unsavedHint: "Only you see this until you save the view.",

  moveLeft: "Move left",
  moveRight: "Move right",
  wider: "Wider",
  narrower: "Narrower",
  moved: "{field} is column {at} of {count} now.",
  resized: "{field} is {width} pixels wide.",
  frozen: "{field} stays at the left while you scroll.",
  unfrozen: "{field} scrolls with the other columns.",
});
