import { defineMessages } from "../define-messages.ts";

/** Setting up a new server: the owner and the first tables. */
export const setupMessages = defineMessages("setup", {
  title: "Set up Watchfloor",
  pageTitle: "Set up",
  lead: "You will be the owner, with full access and the right to invite others.",
  noOwner: "This server has no owner yet.",
  createServiceDesk: "Create owner and service desk",
  createOrders: "Create owner, orders and stock",
  createOwner: "Create owner",
  yourName: "Your name",
  email: "Email",
  linkHelp:
    "At start the server printed a set-up link to its terminal or log. Open that link to become the owner. It looks like this:",
  linkLost: "If you can't find it, restart the server to get a new one.",

  startWith: "Start with",
  serviceDesk: "Service desk",
  serviceDeskText:
    "Incidents, groups, people and services, with realistic sample data to try everything out.",
  orders: "Orders & stock",
  ordersText: "Orders with their lines, products, customers and suppliers.",
  empty: "Empty",
  emptyText: "No tables. Choose this to model your own data.",
});
