import { defineMessages } from "../define-messages.ts";

/** The first screen of an installation without tables, and what to do next until it is done. */
export const firstMinuteMessages = defineMessages("firstMinute", {
  title: "Welcome",
  welcome: "Welcome, {name}",
  lead: "Watchfloor is a live table your team edits together, and a wall that shows it.",
  scratch: "Start from scratch",
  file: "Start from a file",
  fileText: "A CSV file, or rows copied from a spreadsheet. Its columns become fields.",
  example: "Use an example",
  exampleText: "Tables with realistic sample data, views and wallboards, to try everything out.",
  programs: "Write from programs",
  programsText: "Scripts and other systems write over REST. Everyone sees each row as it arrives.",
  copy: "Copy address",
  apiDocs: "API reference",
  token: "API tokens",

  next: "Next",
  createTable: "Create a table",
  createTableText: "One name, then type into its cells.",
  invite: "Invite a colleague",
  inviteText: "A link that works once. They choose their own password.",
  wall: "Put it on a screen",
  wallText: "Open {address} there, and enter the code it shows.",
  isDone: "Done",
});
