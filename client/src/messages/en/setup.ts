import { defineMessages } from "../define-messages.ts";

/** Setting up a new server: the owner and the first tables. */
export const setupMessages = defineMessages("setup", {
  title: "Set up Watchfloor",
  pageTitle: "Set up",
  lead: "A live table your team edits together, and walls that show it. You will be the owner, with full access and the right to invite others.",
  noOwner: "This server has no owner yet.",
  create: "Create workspace",
  yourName: "Your name",
  email: "Email",
  linkHelp:
    "The server printed a set-up link when it started. Look in its terminal or log, and open it. It looks like this:",
  linkLost: "If you can't find it, restart the server to get a new one.",

  startWith: "Start with",
  serviceDesk: "Service desk",
  serviceDeskText:
    "Incidents, groups, people and services, with realistic sample data to try everything out.",
  orders: "Orders & stock",
  ordersText: "Orders with their lines, products, customers and suppliers.",
  empty: "Empty",
  emptyText: "No tables yet. Your first one takes a minute.",
});
