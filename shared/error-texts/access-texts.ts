/** Why something is refused to users, and what is wrong with users, roles, sessions and factors. */
export const accessTexts = {
  "session.tokenEnded":
    "This API token is not valid: it was revoked or has expired, or its creator is disabled or has not signed in with the company's account for 30 days. Create another one under My profile, API tokens.",
  "session.wrongPassword": "Email or password is incorrect.",
  "session.passkey": "Passkey not accepted. Try again or use your password.",
  "session.tooManyAttempts": "Too many attempts to sign in. Please wait before the next one.",
  "session.notForTokens": "An API token can't do that. Sign in as a user.",

  "setup.linkGone":
    "This set-up link is not valid any more. The server prints a new one when it starts.",
  "setup.done": "Watchfloor is set up already.",
  "setup.nameTaken":
    'The database already has "{name}", which Watchfloor did not create. Rename it, choose another template, or use another database. Nothing was changed.',

  "access.right": 'You need the right "{right}" to do that.',
  "access.characters": "A text has a character that can't be stored.",

  "user.noRole": "There is no such role.",
  "user.makeOwner": "Only an owner may make somebody an owner.",
  "user.changeOwner": "Only an owner may change an owner.",
  "user.rank": "This needs rights that you don't have.",
  "user.attributes": "A text in the attributes has a character that can't be stored.",
  "user.lastOwner": "The last owner can't be removed.",
  "user.emailTaken": "There is a user with that email.",
  "user.earlyActive": "Invited users become active when they accept the invitation.",
  "user.notInvited": "Only invited users who have not accepted can be invited again.",
  "user.invitationGone": "This invitation was used, replaced or has expired.",
  "user.resetGone": "This link was used, replaced or has expired.",
  "user.ownPassword": "You change your own password on your profile.",
  "user.notActive": "Only active users have a password.",
  "user.currentPassword": "Current password is incorrect.",
  "user.guessable":
    "That password is easily guessed: it is common, follows a pattern, or is made of your name. A few words that don't belong together are better.",

  "role.notCovered": "That role has rights that you do not have yourself.",
  "role.builtIn": "Built-in roles can't be changed.",
  "role.nameTaken": "There is a role with that name.",
  "role.usedByUsers": "Users have this role. Give them another role first.",
  "role.usedByTokens": "API tokens have this role. Revoke them first.",
  "role.usedByDisplays": "Displays have this role. Take them over first.",
  "role.conflict": "Somebody else changed the same part of this role meanwhile.",

  "factor.totpInUse": "An authenticator is in use. Remove it first.",
  "factor.wrongCode": "Incorrect code. Codes change every 30 seconds.",
  "factor.own": "You change your own second factor on your profile.",
  "factor.none": "Recovery codes require a second factor.",
  "factor.passkeyWrong": "That passkey wasn't accepted. Try again.",
  "factor.passkeyKnown": "This passkey is already registered.",
  "factor.publicUrl":
    "Passkeys need the setting PUBLIC_URL. Ask whoever runs the server to set it.",

  "token.expiryPassed": "The expiry date has passed.",
  "token.tooMany": "You have {limit} API tokens. Revoke some first.",
} as const;
