import { defineMessages } from "../define-messages.ts";

/** The names of the palette's colours (shared/model/palette.ts). */
export const colourMessages = defineMessages("colours", {
  gray: "Grey",
  red: "Red",
  pink: "Pink",
  grape: "Purple",
  violet: "Violet",
  indigo: "Indigo",
  blue: "Blue",
  cyan: "Cyan",
  teal: "Teal",
  green: "Green",
  lime: "Lime",
  yellow: "Yellow",
  orange: "Orange",
});
