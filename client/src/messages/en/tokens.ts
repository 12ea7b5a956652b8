import { defineMessages } from "../define-messages.ts";

/** API tokens: the list of all, the user's own, creating and revoking them. */
export const tokensMessages = defineMessages("tokens", {
  title: "API tokens",
  lead: "Credentials for programs. A token never has more rights than the user who created it.",
  myText: "Credentials for your programs. A token never has more rights than you.",
  none: "No API tokens yet",
  noneText:
    "Create a token for each program that reads or writes data, so that you can revoke it on its own.",
  noneOfMine: "You have no API tokens.",

  token: "Token",
  creator: "Created by",
  role: "Role",
  lastUsed: "Last used",
  expires: "Expires",
  roleIs: "Role: {role}",
  creatorRole: "Same as creator",
  myRole: "Same as mine",
  yourRole: "Your role",
  never: "Never",
  deletedUser: "A deleted user",
  expired: "Expired",
  suspended: "Creator disabled",
  paused: "Paused: creator has not signed in for 30 days",
  usedAgo: "Used {ago}",
  notUsed: "Not used yet",
  expiresAt: "expires {date}",
  expiredAt: "expired {date}",

  create: "Create token",
  createTitle: "Create an API token",
  name: "Name",
  nameText: "The program that uses it. Its changes carry this name.",
  roleText: "The token has the rights of this role, within your own.",
  inDays: "{count, plural, one {In # day} other {In # days}}",
  createdTitle: "Token created",
  createdText: "Copy the token now. It won't be shown again.",
  copyToken: "Copy token",
  example: "For example",

  actionsFor: "Actions for {name}",
  renameItem: "Rename…",
  revokeItem: "Revoke…",
  renameTitle: "Rename {name}",
  rename: "Rename",
  renamed: "Token renamed to {name}.",
  revokeTitle: "Revoke {name}?",
  revokeText:
    "Programs that use it are refused within a second. You can't undo this. Past changes keep its name.",
  revoke: "Revoke token",
  revoked: "{name} revoked.",
});
