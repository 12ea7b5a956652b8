import { defineMessages } from "../define-messages.ts";

/** Screens for an address that does not exist or that the user may not open. */
export const notFoundMessages = defineMessages("notFound", {
  notFound: "Not found",
  nothingHere: "Page not found",
  nothingHereText:
    "<code>{path}</code> does not exist, or you don't have access to it. Check the address, or choose a table in the sidebar.",
  notAllowed: "Not allowed",
  noAccess: "You don't have access to this screen",
  noAccessText:
    "You need the right to <b>{rightName}</b>, which your role <b>{role}</b> doesn't include. Ask an owner or an admin.",
  back: "Back to dashboard",
});
