import { defineMessages } from "../define-messages.ts";

/** The security events. */
export const securityMessages = defineMessages("security", {
  title: "Security events",
  lead: "Sign-ins, failed attempts and changes to users and access. New events appear automatically.",
  everything: "Everything",
  signIns: "Sign-ins",
  failures: "Failed attempts",
  credentials: "Passwords and second factors",
  sessions: "Ended sessions",
  users: "Users",
  roles: "Roles",
  tokens: "API tokens",
  displays: "Displays",
  providers: "Company accounts",
  webhooks: "Webhooks",
  model: "Model",
  data: "Unlogged changes",
  event: "Event",
  user: "User",
  everyone: "Everyone",
  none: "No events found",
  noneText: "New events that match the filter will appear here.",
  countOf: "{shown, number} of {total, number}",
  showOlder: "Show older events",
  olderByFilter: "To see older events, choose an event or a user, or use the API.",
  onServer: "On the server",
});
