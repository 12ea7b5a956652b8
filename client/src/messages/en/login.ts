import { defineMessages } from "../define-messages.ts";

/** Signing in, invitations, password resets. */
export const loginMessages = defineMessages("login", {
  signIn: "Sign in",
  tagline: "Live tables for the people who keep things running.",
  email: "Email",
  password: "Password",
  newPassword: "New password",
  showPassword: "Show or hide the password",
  loading: "Loading",
  back: "Back",
  continue: "Continue",

  withProvider: "Continue with {provider}",
  or: "or",
  refused: "You are not signed in",
  refusedText: "This sign-in was already used, was started in another browser, or took too long.",
  notConfirmed: "You are not confirmed",
  refusedSignedIn: "That was not accepted",
  addPasskey: "Sign in and add a passkey",
  backToSignIn: "Back to sign-in",
  goOn: "Continue",

  confirmTitle: "Confirm your identity",
  signingInAs: "Signing in as {email}.",
  withPasskey: "Use a passkey",
  withApp: "Use the authenticator app",
  withRecoveryCode: "Use a recovery code",
  code: "Code",
  recoveryCode: "Recovery code",
  leadApp: "Enter the six digits that your authenticator app shows for Watchfloor.",
  leadRecovery: "Enter one of your recovery codes. Each works once.",
  leadPasskey: "Use your passkey or one of your recovery codes.",

  invitation: "Invitation",
  invitationInvalid: "This invitation is no longer valid",
  askForInvitation: "Ask the person who invited you for a new link.",
  welcome: "Welcome",
  choosePassword: "Choose a password for {email}.",
  yourName: "Your name",
  acceptInvitation: "Accept invitation",

  resetLead: "For {email}. Changing it signs you out everywhere.",
  revokeMade: "Revoke API tokens and pause webhooks",
  revokeMadeText:
    "{tokens, plural, one {# token} other {# tokens}}, {webhooks, plural, one {# webhook} other {# webhooks}}. Keep them only if nobody else had access.",
  resetInvalid: "This link is no longer valid",
  askForReset: "Ask the person who sent it for a new one.",
  changePassword: "Change password",
  passwordChanged: "Password changed",
  signedOutEverywhere: "You are signed out everywhere.",

  sessionEnded: "Your session has ended",
  sessionEndedLead:
    "Sign in again to continue where you were. Nothing on this page is lost, and pending edits will be sent.",
  signInAsOther: "Sign in as someone else",
  signInAsOtherTitle: "Some changes have not been saved yet",
  signInAsOtherText:
    "If you sign in as someone else, your unsaved changes to roles and to the model are discarded.",

  cookiesBlocked:
    "Your browser blocks cookies for {host}, so you can't sign in. Allow cookies for this site in your browser settings, then reload the page.",
  storageBlocked:
    "Your browser doesn't let this site store data: edits made offline are lost when you reload the page, and your preferences are not remembered.",
  editsNotStored:
    "Your browser stores only a part of this site's data: edits made offline, drafts and undo steps may be lost when you reload the page.",
  preferencesNotStored:
    "Your browser stores only a part of this site's data: when you reload the page, your preferences and texts that you are still typing are lost.",

  wrongCredentials: "Email or password is incorrect. Check both and try again.",
  wrongCode:
    "The code is incorrect or was already used. Codes from an app change every 30 seconds.",
  tooManyAttempts: "Too many attempts. Try again in {time}.",
  unreachable: "The server can't be reached. Check your connection and try again.",
  accountDisabled: "This account is disabled. Ask an owner or an admin.",
  passkeyUnknown: "Passkey not accepted. Sign in with your password.",
});
