import { defineMessages } from "../define-messages.ts";

/** One sentence for each kind of security event. */
export const securityEventMessages = defineMessages("securityEvents", {
  unknownUser: "Someone",
  deletedUser: "A deleted user",
  deletedSubject: "a deleted user",
  themselves: "themselves",
  byToken: "{user} (API token “{token}”)",

  signIn: "{user} signed in.",
  signInPassword: "{user} signed in with a password.",
  signInApp: "{user} signed in with a password and an authenticator app.",
  signInRecovery: "{user} signed in with a password and a recovery code.",
  signInPasskey: "{user} signed in with a passkey.",
  signInInvitation: "{user} signed in with an invitation.",
  signInSetup: "{user} signed in with the set-up link.",
  signInLink: "{user} signed in with a one-time link.",
  signedOut: "{user} signed out.",

  failedEmail: "Sign-in failed: unknown email.",
  failedPasswordAs: "Sign-in as {subject} failed: wrong password.",
  failedCode: "Sign-in failed: correct password, wrong code.",
  failedCodeAs: "Sign-in as {subject} failed: correct password, wrong code.",
  failedPasskey: "Sign-in failed: passkey not accepted.",
  failedPasskeyAs: "Sign-in as {subject} failed: passkey not accepted.",
  failedStatus: "Sign-in failed: account not active.",
  failedStatusAs: "Sign-in as {subject} failed: account not active.",
  throttled: "Too many sign-in attempts. Further attempts are blocked for a while.",
  throttledAs: "Too many sign-in attempts as {subject}. Further attempts are blocked for a while.",

  passwordChanged: "{user} changed their password.",
  passwordReset: "{user} chose a new password with a reset link.",
  resetLinkCreated: "{user} created a password reset link for {subject}.",
  passkeyAdded: "{user} added the passkey “{passkey}”.",
  passkeyRemoved: "{user} removed the passkey “{passkey}”.",
  appAdded: "{user} added an authenticator app.",
  appRemoved: "{user} removed an authenticator app.",
  factorsRemoved: "{user} removed the second factors of {subject}.",
  codesCreated: "{user} created new recovery codes.",

  sessionEnded: "{user} ended a session.",
  sessionOfEnded: "{user} ended a session of {subject}.",
  othersEnded: "{user} signed out everywhere else.",
  signedOutByOther: "{user} signed {subject} out everywhere.",

  userAdded: "{user} added {subject} as {role}.",
  userInvited: "{user} invited {subject} as {role}.",
  userChanged: "{user} changed {subject}.",
  userChangedParts: "{user} changed {subject}: {parts}.",
  userRoleChanged: "{user} made {subject} {role} (was {before}).",
  userDisabled: "{user} disabled {subject}.",
  userEnabled: "{user} enabled {subject}.",
  removed: "{user} removed {subject}.",
  invitationCreated: "{user} created another invitation for {subject}.",
  invitationAccepted: "{user} accepted the invitation.",

  roleAdded: "{user} added the role {subject}.",
  roleChanged: "{user} changed the role {subject}.",
  roleChangedParts: "{user} changed the role {subject}: {parts}.",
  roleRemoved: "{user} removed the role {subject}.",
  tokenCreated: "{user} created the API token {subject}.",
  tokenRenamed: "{user} renamed an API token to {subject} (was {before}).",
  tokenRevoked: "{user} revoked the API token {subject}.",
  tokenUsed: "The API token {subject} of {user} was used.",
  displayPaired: "{user} paired the display {subject}.",
  displayRevoked: "{user} revoked the display {subject}.",
  displayRemoved: "{user} removed the display {subject}.",
  modelPublished: "{user} published version {version} of the model.",
  logExported: "{user} exported the change log.",
  recordsExported: "{user} exported records of {table}.",

  bypassed:
    "Changed without an entry in the change log: {count, plural, one {a record} other {# records}} of {table} ({records}).",
  bypassedMore:
    "Changed without an entry in the change log: {count, plural, one {a record} other {# records}} of {table} ({records} and {more} more).",
  captureRestored:
    "The triggers that record changes of {table} were missing, disabled or altered. They have been reinstalled.",
});
