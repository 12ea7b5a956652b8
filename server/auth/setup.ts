import { randomUUID } from "node:crypto";
import { explain } from "../../shared/error-texts/explain.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { SetupCall } from "../../shared/protocol/session.ts";
import {
  claimSetupToken,
  deleteSetupTokens,
  insertSetupToken,
} from "../store/users/setup-tokens.ts";
import { anyUser, insertFirstUser } from "../store/users/users.ts";
import type { Auth } from "./create-auth.ts";
import { hashPassword } from "./password.ts";
import { validatePassword } from "./password-rules.ts";
import { hashToken, newToken } from "./tokens.ts";

/** How long the printed link that creates the first owner is valid. A start prints a new one. */
const SETUP_LINK_TTL_MS = 86_400_000;

/**
 * The first run. While there is no user, whoever has the printed link may become the owner, once. A start
 * prints a new link; earlier ones stay valid until they expire, because another server may have printed them.
 */

export type Template = SetupCall["template"];

/** Whether there is no user yet. */
export async function setupNeeded({ db }: Auth): Promise<boolean> {
  return !(await anyUser(db));
}

/** A new one-time token for the set-up link; null if there is a user already. */
export async function issueSetupToken({ db }: Auth): Promise<string | null> {
  if (await anyUser(db)) return null;
  const token = newToken();
  await insertSetupToken(db, hashToken(token));
  return token;
}

/** Uses up the token: applies the template, creates the owner, returns the owner's id. */
export async function setUp(auth: Auth, call: SetupCall): Promise<string> {
  const id = hashToken(call.token);
  const issued = await claimSetupToken(auth.db, id, SETUP_LINK_TTL_MS);
  if (issued === null) {
    throw new Refusal("forbidden", { right: "setup" }, explain("setup.linkGone"));
  }
  try {
    return await createOwner(auth, call);
  } catch (error) {
    await insertSetupToken(auth.db, id, issued);
    throw error;
  }
}

/** Creates the first owner without a link (environment, demo); null if there is a user already. */
export async function ensureOwner(
  auth: Auth,
  owner: { email: string; password: string; name?: string; template: Template },
): Promise<string | null> {
  if (await anyUser(auth.db)) return null;
  const name = owner.name ?? owner.email.split("@")[0] ?? "Owner";
  return createOwner(auth, { ...owner, name });
}

async function createOwner(auth: Auth, call: Omit<SetupCall, "token">): Promise<string> {
  const taken = new Refusal("forbidden", { right: "setup" }, explain("setup.done"));
  if (await anyUser(auth.db)) throw taken;
  await validatePassword(call.password, [call.email, call.name]);
  const passwordHash = await hashPassword(call.password);
  await auth.applyTemplate(call.template, call.zone);
  const id = randomUUID();
  const { email, name } = call;
  const row = { id, email, name, role: "owner", attributes: {} };
  const owner = await insertFirstUser(auth.db, { ...row, status: "active", passwordHash });
  if (!owner) throw taken;
  await deleteSetupTokens(auth.db);
  return owner.id;
}
