import { z } from "zod";
import { explain } from "../../shared/error-texts/explain.ts";
import { explainSignIn } from "../../shared/error-texts/sign-in-texts.ts";
import { isStorable } from "../../shared/filter/storable.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import { invalidValue, Refusal } from "../../shared/protocol/errors.ts";
import type { SignInPolicy, StoredPolicy } from "../../shared/protocol/identity-providers.ts";
import type { Db } from "../store/database.ts";
import {
  findPolicy,
  hasPassword,
  storePolicy,
  usersWithoutFactor,
} from "../store/users/identity-providers.ts";
import { lockUser, type UserRow } from "../store/users/users.ts";
import type { Auth } from "./create-auth.ts";
import { findRole } from "./find-role.ts";
import { recordEvent } from "./security-log.ts";

/**
 * Who may sign in how, by role. It is asked at each sign-in, after the password or passkey was right, so that it reveals nothing to
 * strangers; sessions that are open go on. The break-glass owner is exempt from `providerOnly`, not from the second factor, and stays
 * an active owner with a password as long as the policy names them.
 */

/** One that can't be read, because another program wrote it, must not open what it closed: it is an error. */
const policySchema = z.object({
  providerOnly: z.array(z.string()),
  secondFactor: z.array(z.string()),
  breakGlass: z.string().nullable(),
});

export async function readPolicy(db: Db): Promise<SignInPolicy> {
  const stored = await findPolicy(db);
  return stored === null
    ? { providerOnly: [], secondFactor: [], breakGlass: null }
    : policySchema.parse(stored);
}

/** Refuses everybody but owners. */
export function requireOwner({ role }: Subject): void {
  if (role.id === "owner") return;
  throw new Refusal("forbidden", { role: "owner" }, explainSignIn("provider.owner"));
}

export async function policyFor({ db, publicUrl }: Auth, me: Subject): Promise<StoredPolicy> {
  requireOwner(me);
  const policy = await readPolicy(db);
  const { length: withoutFactor } = await usersWithoutFactor(db, policy.secondFactor);
  return { ...policy, publicUrl: publicUrl ?? null, withoutFactor };
}

/** Stores another policy. Refuses one that could leave nobody who can sign in when a provider is down. */
export async function savePolicy(
  auth: Auth,
  me: Subject,
  policy: SignInPolicy,
): Promise<StoredPolicy> {
  requireOwner(me);
  await auth.db.transaction().execute(async (tx) => {
    for (const role of [...policy.providerOnly, ...policy.secondFactor]) {
      if (!(isStorable(role) && (await findRole(tx, role)))) {
        throw invalidValue("role", "option", explain("user.noRole"));
      }
    }
    const { breakGlass } = policy;
    if (breakGlass !== null) await requireBreakGlass(tx, breakGlass, policy);
    else if (policy.providerOnly.includes("owner")) {
      throw invalidValue("breakGlass", "required", explainSignIn("policy.breakGlass"));
    }
    await storePolicy(tx, policy);
    const { providerOnly, secondFactor } = policy;
    const detail = { providerOnly, secondFactor };
    await recordEvent(tx, {
      kind: "sign_in_policy_changed",
      actor: me.id,
      subject: breakGlass,
      detail,
    });
  });
  return policyFor(auth, me);
}

async function requireBreakGlass(tx: Db, id: string, policy: SignInPolicy): Promise<void> {
  const user = isStorable(id) ? await lockUser(tx, id) : null;
  const isFit = user?.role === "owner" && user.status === "active" && (await hasPassword(tx, id));
  if (!isFit) throw invalidValue("breakGlass", "option", explainSignIn("policy.breakGlass"));
  const isRequired = policy.secondFactor.includes("owner");
  if (isRequired && (await usersWithoutFactor(tx, ["owner"])).includes(id)) {
    throw invalidValue("breakGlass", "factor", explainSignIn("policy.breakGlassFactor"));
  }
}

/** Whether the user's role signs in by a provider only, and they are not the break-glass owner. */
export function mustUseProvider(policy: SignInPolicy, { id, role }: Pick<UserRow, "id" | "role">) {
  return policy.providerOnly.includes(role) && policy.breakGlass !== id;
}

/** The refusal of a password or passkey that was right, of a user whose role must use a provider. */
export function providerRequired(): Refusal {
  return new Refusal("forbidden", { right: "password" }, explainSignIn("policy.password"));
}

/** The refusal of a session that lacks the second factor that its role requires. */
export function factorRequired(): Refusal {
  return new Refusal("forbidden", { right: "secondFactor" }, explainSignIn("policy.factor"));
}

/** Records that the break-glass owner has signed in where their role must use a provider. */
export async function noteBreakGlass(
  tx: Db,
  { providerOnly, breakGlass }: SignInPolicy,
  { id, role }: Pick<UserRow, "id" | "role">,
): Promise<void> {
  if (breakGlass !== id || !providerOnly.includes(role)) return;
  await recordEvent(tx, { kind: "break_glass_used", actor: id });
}

/** Keeps the break-glass owner: refuses whatever would end their account, their role or their way in. */
export async function requireNotBreakGlass(db: Db, user: string): Promise<void> {
  if ((await readPolicy(db)).breakGlass !== user) return;
  throw invalidValue("user", "breakGlass", explainSignIn("policy.breakGlassUser"));
}
