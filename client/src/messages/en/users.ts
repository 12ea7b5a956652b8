import { defineMessages } from "../define-messages.ts";

/** Users: the list, adding one, invitations, password resets, attributes. */
export const usersMessages = defineMessages("users", {
  title: "Users",
  lead: "People who can sign in, and their roles. A new role takes effect at once, even on screens that are already open.",
  addUser: "Add user",
  count: "{count, plural, one {# user} other {# users}}",
  countOf: "{shown, number} of {total, plural, one {# user} other {# users}}",
  noMatch: "No users match",
  noMatchText: "No user matches the search, role and status.",
  clearFilters: "Clear filters",
  anyStatus: "Any status",
  search: "Find users",
  searchHint: "Name, email or attribute",
  clearSearch: "Clear search",
  allRoles: "All roles",
  roleOption: "{role} ({count, number})",
  name: "Name",
  email: "Email",
  role: "Role",
  attributes: "Attributes",
  status: "Status",
  lastSeen: "Last seen",
  never: "Never",
  none: "None",
  active: "Active",
  invited: "Invited",
  disabled: "Disabled",
  you: "{name} (you)",
  roleOf: "Role of {name}",
  roleChanged: "{name} is now {role}.",
  byGroup: "From a company group",
  undone: "Change to {name} undone.",

  method: "Sign-in method",
  byLink: "Invitation",
  byLinkText: "A link that works once. They choose their own password.",
  byPassword: "Initial password",
  byPasswordText: "You choose it and send it to them.",
  createInvitation: "Create invitation",
  added: "{name} can sign in now.",
  invite: "Invite {name}",

  invitationLink: "Invitation link",
  invitationText:
    "Send this link to {name} so that they can choose a password. It works once and won't be shown again.",
  mailedInvitationText:
    "This link was mailed to {name}, to choose a password. It works once and won't be shown again.",
  newInvitation: "New invitation for {name}",
  newInvitationText:
    "Creates a link to send to them, with which they choose a password. It works once. Their previous link stops working.",
  resetTitle: "Reset password of {name}",
  resetText:
    "Creates a link to send to them, with which they choose a new password. It works once. Until then their current password keeps working. Any previous link stops working.",
  resetLink: "Password reset link",
  createLink: "Create link",
  linkText: "Send this link to {name}. It works once, until {expires}, and won't be shown again.",
  mailedLinkText:
    "This link was mailed to {name}. It works once, until {expires}, and won't be shown again.",
  copyLink: "Copy link",

  actionsFor: "Actions for {name}",
  attributesItem: "Attributes…",
  newInvitationItem: "New invitation link…",
  resetItem: "Reset password…",
  enableFirst: "Enable this user first.",
  removeFactorItem: "Reset two-step sign-in…",
  endSessionsItem: "Sign out everywhere…",
  enable: "Enable",
  disableItem: "Disable and sign out…",
  revokeItem: "Revoke invitation…",
  removeItem: "Remove…",
  enabledDone: "{name} can sign in again.",
  enabledWithout:
    "{name} can sign in again. Still revoked or paused: {tokens, plural, one {# API token} other {# API tokens}}, {webhooks, plural, one {# webhook} other {# webhooks}}.",
  disabledDone: "{name} is disabled and signed out everywhere.",
  disabledAndRevoked:
    "{name} is disabled and signed out everywhere. Revoked or paused: {tokens, plural, one {# API token} other {# API tokens}}, {webhooks, plural, one {# webhook} other {# webhooks}}.",
  notSignedIn: "{name} was not signed in.",
  signedOut: "{name} is signed out everywhere.",
  signedOutAndRevoked:
    "{name} is signed out everywhere. Revoked or paused: {tokens, plural, one {# API token} other {# API tokens}}, {webhooks, plural, one {# webhook} other {# webhooks}}.",

  endSessionsTitle: "Sign {name} out everywhere?",
  endSessionsText:
    "They sign in again with their password, and with a second factor if they have one.",
  endSessions: "Sign out",
  revokeMade: "Also revoke their API tokens and pause their webhooks",
  disableTitle: "Disable {name}?",
  disableText:
    "They are signed out and can't sign in. Their API tokens are revoked and their webhooks paused, and stay so when you enable them again.",
  disable: "Disable",

  removeFactorTitle: "Reset two-step sign-in of {name}?",
  removeFactorText:
    "Use this for someone who has lost their phone and recovery codes. They are signed out everywhere and then sign in with only a password until they set up a new second factor. First verify that the request really comes from them.",
  removeFactor: "Reset two-step sign-in",
  factorRemoved: "{name} now signs in with only a password.",
  revokeTitle: "Revoke the invitation of {name}?",
  removeTitle: "Remove {name}?",
  revokeText: "The link stops working.",
  removeText:
    "They are signed out and can't sign in again, and their API tokens are revoked. Their changes stay in the history. To block them temporarily, disable them instead.",
  revoke: "Revoke invitation",
  remove: "Remove",
  removed: "{name} removed.",

  attributesOf: "Attributes of {name}",
  attributesSaved: "Attributes of {name} saved.",
  attributesText:
    "Roles can refer to attributes: “their own group” is the value of “group”. Separate several values with commas. Changes take effect at once.",
  attribute: "Attribute",
  attributeExample: "group",
  valueOf: "Value of {name}",
  value: "Value",
  valueExample: "Network",
  removeAttribute: "Remove {name}",
  addAttribute: "Add attribute",
  save: "Save",
});
