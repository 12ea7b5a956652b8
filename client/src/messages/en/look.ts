import { defineMessages } from "../define-messages.ts";

/** How rows and columns of a view look: heights, colours, places. */
export const lookMessages = defineMessages("look", {
  appearance: "Appearance",
  rowHeight: "Row height",
  short: "Short",
  medium: "Medium",
  tall: "Tall",
  wrap: "Wrap text",
  wrapHint: "Long text continues on the next line in medium and tall rows.",
  rules: "Colours",
  rulesHint: "The first matching rule applies. Rules for a field override rules for the whole row.",
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
  unsavedHint: "Save the view to keep this for everyone who uses it.",

  moveLeft: "Move left",
  moveRight: "Move right",
  wider: "Wider",
  narrower: "Narrower",
  moved: "{field} is column {at} of {count} now.",
  resized: "{field} is {width} pixels wide.",
  frozen: "{field} stays at the left while you scroll.",
  unfrozen: "{field} scrolls with the other columns.",
});
