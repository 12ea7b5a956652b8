import { explainer } from "./explain.ts";

/**
 * Why somebody is not signed in with a company account, or how users sign in can't be changed so. A list of its own, because only few
 * screens show them, and load them late.
 */
export const signInTexts = {
  "provider.owner": "Only an owner may change how users sign in.",
  "provider.off":
    "Sign-in by company accounts needs the setting PUBLIC_URL. Ask whoever runs the server to set it.",
  "provider.discovery": "The provider could not be read ({reason}). Check the issuer.",
  "provider.unreachable":
    "The provider does not answer. Check the issuer, and whether this server can reach it ({reason}).",
  "provider.notHttps": "The issuer must be an https address.",
  "provider.placeholder":
    "This issuer is a placeholder for any tenant. Enter the one with the id of your tenant.",
  "provider.parts": "The issuer must have no user name, query or fragment.",
  "provider.incomplete": "The provider does not say where to sign in. Check the issuer.",
  "provider.otherIssuer": "The provider calls itself {issuer}. Use that as the issuer.",
  "provider.unsigned":
    "The provider signs for this client by its secret ({algorithms}), which proves nothing here. Choose a signing key for it there.",
  "provider.idTaken": "There is a provider with that id.",
  "provider.ownerRole": "Nobody becomes an owner by a provider. Choose another role.",
  "provider.fromEnvironment":
    "This is set by the environment of the server (WATCHFLOOR_OIDC_…). Change it there.",
  "provider.secret": "The client secret can't be decrypted. Enter it again.",
  "provider.secretAgain": "Another issuer would be sent the secret: enter that of its own client.",
  "provider.down": "{provider} does not answer. Try again, or sign in another way.",
  "provider.cancelled": "{provider} did not sign you in.",
  "provider.notRight": "The answer of {provider} could not be verified. Please sign in again.",
  "provider.noAccount":
    "There is no account here for your account at {provider}. Ask an administrator for an invitation.",
  "provider.unverified":
    "{provider} has not verified your email, so it can't be matched with an account here.",
  "provider.domain": "Your email is of a domain that {provider} may not create accounts for.",
  "provider.taken":
    "There is an account here with your email already. Sign in to it with its password, then link {provider} under My profile.",
  "provider.invitation":
    "Your invitation is for a role with administrative rights: open its link, and continue with {provider} there.",
  "provider.disabled": "Your account here is disabled.",
  "provider.groups": "None of your groups at {provider} gives access here.",
  "provider.tooManyGroups":
    "{provider} sent a pointer (_claim_names) in place of the claim “{claim}”, because you have too many groups. Ask its administrator to send only the groups of this application.",
  "provider.badGroups":
    "{provider} sent the claim “{claim}” in a form that is not a list of groups.",
  "provider.badRole":
    "The role that {provider} gives you does not exist any more. Ask an administrator.",
  "provider.linkedElsewhere": "This account at {provider} is linked to another user.",
  "provider.notMine": "That is another account at {provider} than yours.",
  "provider.noTime":
    "{provider} does not say when you proved who you are. Use a passkey instead: you can add one right after signing in.",
  "provider.tooOld":
    "{provider} did not ask you again who you are. Use a passkey instead: you can add one right after signing in.",
  "provider.lastLink": "This is your only way to sign in.",
  "provider.roleByGroup":
    "The role of this user comes from a group at {provider}, and is changed there.",
  "policy.password": "Users of your role sign in with the company's account only.",
  "policy.factor": "Your role needs a second factor. Add one, or confirm with yours, to go on.",
  "policy.factorExists": "You have a second factor already. Confirm with it.",
  "policy.breakGlass":
    "Choose an active owner with a password, so that somebody can sign in when the provider is down.",
  "policy.breakGlassFactor":
    "The break-glass owner needs a second factor, too. Let them add one first.",
  "policy.breakGlassUser": "This is the break-glass owner. Choose another one under Sign-in first.",
} as const;

/** A sentence of `signInTexts`, with its values filled in. */
export const explainSignIn = explainer(signInTexts);
