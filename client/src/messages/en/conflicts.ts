import { defineMessages } from "../define-messages.ts";

/** Two users changed the same part of a view, a role, a wallboard or the model. */
export const conflictMessages = defineMessages("conflicts", {
  heading: "Someone else changed this too",
  keepMine: "Keep mine",
  takeTheirs: "Take theirs",
  before: "Before",
  mine: "Mine",
  theirs: "Theirs",
  beforeValue: "Before: {value}",
  mineValue: "Mine: {value}",
  theirsValue: "Theirs: {value}",
});
