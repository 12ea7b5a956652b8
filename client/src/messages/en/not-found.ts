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
    "It needs the right <b>{right}</b> ({rightName}), which your role <b>{role}</b> doesn't include. An owner or an admin can give you a role that does.",
  back: "Back to dashboard",
});
