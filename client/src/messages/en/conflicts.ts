import { defineMessages } from "../define-messages.ts";

/** Two users changed the same part of a view, a role, a wallboard or the model. */
export const conflictMessages = defineMessages("conflicts", {
  heading: "Someone else changed this too",
  keepMine: "Use mine",
  takeTheirs: "Keep theirs",
  before: "Before",
  mine: "Yours",
  theirs: "Theirs",
  beforeValue: "Before: {value}",
  mineValue: "Yours: {value}",
  theirsValue: "Theirs: {value}",
});
