import { randomUUID } from "node:crypto";
import type { Explanation } from "../../shared/error-texts/explain.ts";
import { explainSignIn } from "../../shared/error-texts/sign-in-texts.ts";
import { isStorable } from "../../shared/filter/storable.ts";
import { emailSchema } from "../../shared/protocol/account.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { personNameSchema } from "../../shared/protocol/person-name.ts";
import type { Db } from "../store/database.ts";
import {
  activateInvited,
  findLinkedUser,
  followEmail,
  insertLinkedAccount,
  noteLinkedUse,
  setGroupRole,
} from "../store/users/identity-providers.ts";
import { deleteInvitation } from "../store/users/links.ts";
import { findUserByEmail, insertUser, lockUser, type UserRow } from "../store/users/users.ts";
import { findRole } from "./find-role.ts";
import type { Provider, ProviderClaims } from "./provider-client.ts";
import { recordEvent } from "./security-log.ts";
import { voidLinks } from "./user-links.ts";

/**
 * Whose account it is that a provider has signed in. An account is known by issuer and subject: an email is only what brings it here the
 * first time, and only if it is verified. In this order: the user who has linked it; an invited user with that email; a new user, where
 * the provider may create them. An active account is never taken by its email: its user links it, signed in and with the password. An
 * invitation with administrative rights is for whoever has its link, too: who controls a mailbox, or a provider's directory, must not
 * become an administrator by it.
 */

/** The user of the account, with the role that the groups give. In the transaction that opens the session. */
export async function userOfAccount(
  tx: Db,
  provider: Provider,
  signedIn: ProviderClaims,
  invitation: string | null,
): Promise<UserRow> {
  const fromGroups = await roleOfGroups(tx, provider, signedIn.claims);
  const linked = await findLinkedUser(tx, signedIn);
  const user = linked
    ? await linkedUser(tx, provider, signedIn, linked)
    : await firstSignIn(tx, provider, signedIn, { invitation, fromGroups });
  return withGroupRole(tx, provider, user, fromGroups);
}

/** Links an account to a user, once: not one that another user has. */
export async function linkAccount(
  tx: Db,
  provider: Provider,
  account: Pick<ProviderClaims, "issuer" | "subject">,
  user: string,
): Promise<void> {
  const { issuer, subject } = account;
  const isNew = await insertLinkedAccount(tx, {
    issuer,
    subject,
    user_id: user,
    provider: provider.id,
  });
  if (!isNew) {
    if ((await findLinkedUser(tx, account)) === user) return;
    throw refused(
      provider,
      "linkedElsewhere",
      explainSignIn("provider.linkedElsewhere", { provider: provider.name }),
    );
  }
  await recordEvent(tx, { kind: "account_linked", actor: user, detail: { provider: provider.id } });
}

async function linkedUser(
  tx: Db,
  provider: Provider,
  { issuer, subject, claims }: ProviderClaims,
  id: string,
): Promise<UserRow> {
  const user = await lockUser(tx, id);
  if (user?.status !== "active")
    throw refused(provider, "disabled", explainSignIn("provider.disabled"));
  await noteLinkedUse(tx, { issuer, subject, provider: provider.id });
  // Mail must not go on to an address that is nobody's any more, or another's.
  const email = emailOf(provider, claims);
  if (!email?.isVerified || !(await followEmail(tx, id, email.address))) return user;
  const detail = { changed: ["email"], provider: provider.id };
  await recordEvent(tx, { kind: "user_changed", actor: null, subject: id, detail });
  return { ...user, email: email.address };
}

async function firstSignIn(
  tx: Db,
  provider: Provider,
  signedIn: ProviderClaims,
  { invitation, fromGroups }: { invitation: string | null; fromGroups: string | null },
): Promise<UserRow> {
  const { name } = provider;
  const email = emailOf(provider, signedIn.claims);
  const known = email && (await findUserByEmail(tx, email.address));
  if (known && !email.isVerified) {
    throw refused(provider, "unverified", explainSignIn("provider.unverified", { provider: name }));
  }
  const user = known && (await lockUser(tx, known.id));
  if (user?.status === "disabled") {
    throw refused(provider, "disabled", explainSignIn("provider.disabled"));
  }
  if (user?.status === "active") {
    throw refused(provider, "taken", explainSignIn("provider.taken", { provider: name }));
  }
  if (user) return acceptInvitation(tx, provider, signedIn, user, invitation);
  return createUser(tx, provider, signedIn, email, fromGroups);
}

async function acceptInvitation(
  tx: Db,
  provider: Provider,
  signedIn: ProviderClaims,
  user: UserRow,
  invitation: string | null,
): Promise<UserRow> {
  const hasLink = invitation !== null && (await deleteInvitation(tx, invitation, user.id));
  const role = await findRole(tx, user.role);
  const isAdministrator = role !== null && role.rights.length > 0;
  if (isAdministrator && !hasLink) {
    throw refused(
      provider,
      "invitation",
      explainSignIn("provider.invitation", { provider: provider.name }),
    );
  }
  if (!(await activateInvited(tx, user.id))) throw new Refusal("session_ended");
  await voidLinks(tx, [user.id]);
  await linkAccount(tx, provider, signedIn, user.id);
  await recordEvent(tx, { kind: "invitation_accepted", actor: user.id });
  return { ...user, status: "active" };
}

async function createUser(
  tx: Db,
  provider: Provider,
  signedIn: ProviderClaims,
  email: { address: string; isVerified: boolean } | null,
  fromGroups: string | null,
): Promise<UserRow> {
  const { name } = provider;
  const { createUsers } = provider.options;
  if (!createUsers) {
    throw refused(provider, "noAccount", explainSignIn("provider.noAccount", { provider: name }));
  }
  if (!email?.isVerified) {
    throw refused(provider, "unverified", explainSignIn("provider.unverified", { provider: name }));
  }
  if (createUsers.domains && !createUsers.domains.includes(domainOf(email.address))) {
    throw refused(provider, "domain", explainSignIn("provider.domain", { provider: name }));
  }
  const role = fromGroups ?? createUsers.role;
  if (role === "owner" || !(await findRole(tx, role))) throw badRole(provider);
  const id = randomUUID();
  const user = await insertUser(tx, {
    ...{ id, email: email.address, name: nameOf(signedIn.claims, email.address), role },
    ...{ attributes: {}, status: "active", passwordHash: null },
    role_provider: fromGroups === null ? null : provider.id,
  });
  if (!user) throw refused(provider, "taken", explainSignIn("provider.taken", { provider: name }));
  const roleName = (await findRole(tx, role))?.name ?? role;
  const detail = { role, roleName, invited: false, provider: provider.id };
  await recordEvent(tx, { kind: "user_added", actor: null, subject: id, detail });
  await linkAccount(tx, provider, signedIn, id);
  return user;
}

/** Gives a user the role of their groups. An owner keeps theirs: no directory makes one, or unmakes the last. */
async function withGroupRole(
  tx: Db,
  provider: Provider,
  user: UserRow,
  role: string | null,
): Promise<UserRow> {
  if (role === null || user.role === "owner") return user;
  if (user.role === role && user.role_provider === provider.id) return user;
  await setGroupRole(tx, user.id, role, provider.id);
  if (user.role !== role) {
    await voidLinks(tx, [user.id]);
    const roles = [user.role, role];
    const roleName = await Promise.all(
      roles.map(async (id) => (await findRole(tx, id))?.name ?? id),
    );
    const detail = { changed: ["role"], role: roles, roleName, provider: provider.id };
    await recordEvent(tx, { kind: "user_changed", actor: null, subject: user.id, detail });
  }
  return { ...user, role, role_provider: provider.id };
}

/**
 * The role that the groups give; null where the provider decides none. A pointer in place of the groups is never read as none of them:
 * whoever has too many would get the role of those who have none.
 */
async function roleOfGroups(
  tx: Db,
  provider: Provider,
  claims: ProviderClaims["claims"],
): Promise<string | null> {
  const { groups } = provider.options;
  if (!groups) return null;
  const { claim, roles, otherwise } = groups;
  const detail = { provider: provider.name, claim };
  const pointers = claims._claim_names;
  const isPointed = typeof pointers === "object" && pointers !== null && claim in pointers;
  const says = claims[`has${claim}`] ?? false;
  if (isPointed || (says !== false && says !== "false")) {
    throw refused(provider, "tooManyGroups", explainSignIn("provider.tooManyGroups", detail));
  }
  const value = claims[claim] ?? [];
  const mine = typeof value === "string" ? [value] : value;
  if (!Array.isArray(mine) || mine.some((group) => typeof group !== "string")) {
    throw refused(provider, "badGroups", explainSignIn("provider.badGroups", detail));
  }
  const role = roles.find(({ group }) => mine.includes(group))?.role ?? otherwise;
  if (role === "refuse") {
    throw refused(
      provider,
      "groups",
      explainSignIn("provider.groups", { provider: provider.name }),
    );
  }
  if (role === "owner" || !(await findRole(tx, role))) throw badRole(provider);
  return role;
}

/** Whether the provider says that a second factor was shown there. */
export function confirmsFactor(
  { options: { secondFactor } }: Provider,
  { claims }: Pick<ProviderClaims, "claims">,
): boolean {
  const { acr = [], amr = [] } = secondFactor ?? {};
  const sent = Array.isArray(claims.amr) ? claims.amr : [];
  return acr.includes(String(claims.acr)) || amr.some((method) => sent.includes(method));
}

/** Letters whose lower case is one of ASCII: users are found whatever the case, and these are another mailbox. */
const FOLDED = /[\u0130\u212a]/;

/** The email that a provider sends, and whether it says that it has verified it, or is trusted to for that domain. */
function emailOf(
  { options: { trustEmail } }: Provider,
  { email, email_verified: verified }: ProviderClaims["claims"],
): { address: string; isVerified: boolean } | null {
  const parsed = emailSchema.safeParse(email);
  if (!parsed.success || FOLDED.test(parsed.data)) return null;
  const address = parsed.data;
  const isTrusted =
    verified === undefined && trustEmail?.domains.includes(domainOf(address)) === true;
  return { address, isVerified: verified === true || verified === "true" || isTrusted };
}

const domainOf = (email: string) => email.slice(email.lastIndexOf("@") + 1).toLowerCase();

function nameOf(claims: ProviderClaims["claims"], email: string): string {
  const given = [claims.given_name, claims.family_name]
    .filter((part) => typeof part === "string")
    .join(" ");
  const names = [claims.name, given, claims.preferred_username, email.split("@")[0]];
  for (const name of names) {
    const parsed = personNameSchema.safeParse(name);
    if (parsed.success && isStorable(parsed.data)) return parsed.data;
  }
  return "User";
}

function badRole(provider: Provider): Refusal {
  return refused(
    provider,
    "badRole",
    explainSignIn("provider.badRole", { provider: provider.name }),
  );
}

function refused({ id }: Provider, reason: string, explanation: Explanation): Refusal {
  return new Refusal("forbidden", { provider: id, reason }, explanation);
}
