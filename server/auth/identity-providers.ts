import { explain, toSent } from "../../shared/error-texts/explain.ts";
import { explainSignIn } from "../../shared/error-texts/sign-in-texts.ts";
import { isStorable } from "../../shared/filter/storable.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import { found, invalidValue, Refusal } from "../../shared/protocol/errors.ts";
import type {
  CreateProviderCall,
  PatchProviderCall,
  ProviderInfo,
  ProviderOptions,
  ProviderState,
} from "../../shared/protocol/identity-providers.ts";
import type { Db } from "../store/database.ts";
import {
  deleteProvider,
  findProvider,
  insertProvider,
  listProviders,
  lockProvider,
  type NewProvider,
  type ProviderRow,
  releaseRoles,
  updateProvider,
} from "../store/users/identity-providers.ts";
import { deleteProviderSessions } from "../store/users/sessions.ts";
import type { Auth } from "./create-auth.ts";
import { findRole } from "./find-role.ts";
import type { Provider } from "./provider-client.ts";
import { recordEvent } from "./security-log.ts";
import { requireOwner } from "./sign-in-policy.ts";

/**
 * The providers of company accounts, which owners alone see and change: whoever changes one decides who signs in as whom. A provider is
 * saved only after its discovery was read. Its secret is encrypted, for this provider, and never answered.
 */

/** The id of the provider that the environment names. */
const ENVIRONMENT_ID = "company";
const DEFAULT_SCOPES = ["openid", "profile", "email"];

export async function allProviders(auth: Auth, me: Subject): Promise<ProviderInfo[]> {
  requireOwner(me);
  return (await listProviders(auth.db)).map((row) => describe(row, auth));
}

export async function oneProvider(auth: Auth, me: Subject, id: string): Promise<ProviderInfo> {
  requireOwner(me);
  return describe(found(await findById(auth.db, id)), auth);
}

/** Connects a provider. */
export async function addProvider(
  auth: Auth,
  me: Subject,
  call: CreateProviderCall,
): Promise<ProviderInfo> {
  requireOwner(me);
  const options = optionsOf(call);
  await requireRoles(auth.db, options);
  const { id, name, issuer, clientId: client_id, clientSecret } = call;
  const row: NewProvider = {
    ...{ id, name, issuer, client_id, options, from_environment: false },
    client_secret: auth.box.encrypt(clientSecret, secretOwner(id)),
  };
  row.issuer = await auth.providers.requireDiscovery({ ...row, secret: clientSecret });
  await auth.db.transaction().execute(async (tx) => {
    if (!(await insertProvider(tx, row))) {
      throw new Refusal("duplicate", { field: "id" }, explainSignIn("provider.idTaken"));
    }
    await recordProvider(tx, me, "provider_added", row, { issuer });
  });
  return oneProvider(auth, me, id);
}

/** Merges the change into the provider. Sessions go on; the next sign-in is by the changed one. */
export async function changeProvider(
  auth: Auth,
  me: Subject,
  id: string,
  call: PatchProviderCall,
): Promise<ProviderInfo> {
  requireOwner(me);
  const before = found(await findById(auth.db, id));
  const set = changesOf(auth, before, call);
  const after = { ...before, ...set };
  await requireRoles(auth.db, after.options);
  const spelt = await auth.providers.requireDiscovery(withSecret(auth, after, call.clientSecret));
  await auth.db.transaction().execute(async (tx) => {
    const row = found(await lockProvider(tx, id));
    await updateProvider(tx, id, {
      ...changesOf(auth, row, call),
      ...(call.issuer && { issuer: spelt }),
    });
    if (call.groups === null) await releaseRoles(tx, id);
    await recordProvider(tx, me, "provider_changed", after, { changed: Object.keys(call) });
  });
  return oneProvider(auth, me, id);
}

/** Disconnects a provider: ends the sessions that began there. Linked accounts stay, for when it is connected again. */
export async function removeProvider(auth: Auth, me: Subject, id: string): Promise<void> {
  requireOwner(me);
  const ended = await auth.db.transaction().execute(async (tx) => {
    const row = found(isStorable(id) ? await lockProvider(tx, id) : null);
    if (row.from_environment) throw fromEnvironment("id");
    await deleteProvider(tx, id);
    await recordProvider(tx, me, "provider_removed", row, { issuer: row.issuer });
    return deleteProviderSessions(tx, { provider: id });
  });
  for (const session of ended) auth.notifier.changed("session", session.id);
}

/** Whether users can sign in by a provider now. */
export async function providerState(auth: Auth, me: Subject, id: string): Promise<ProviderState> {
  requireOwner(me);
  const row = found(await findById(auth.db, id));
  const secret = auth.box.decrypt(row.client_secret, secretOwner(id));
  if (secret === null) return { problem: toSent(explainSignIn("provider.secret")), aheadS: null };
  const { problem, aheadS } = await auth.providers.examine({ ...row, secret });
  return { problem: problem && toSent(problem), aheadS };
}

/** Stores the provider that the environment names, as it is there; one that it named before is an ordinary one from now on. */
export async function storeEnvironmentProvider(
  auth: Auth,
  named: { issuer: string; clientId: string; clientSecret: string; name: string } | undefined,
): Promise<void> {
  const { db, box } = auth;
  const stored = await findProvider(db, ENVIRONMENT_ID);
  if (!named) {
    if (stored?.from_environment) await updateProvider(db, stored.id, { from_environment: false });
    return;
  }
  const { issuer, clientId: client_id, clientSecret, name } = named;
  const client_secret = box.encrypt(clientSecret, secretOwner(ENVIRONMENT_ID));
  const set = { issuer, client_id, client_secret, name, from_environment: true };
  const options = { scopes: DEFAULT_SCOPES, ...noOptions };
  if (stored) await updateProvider(db, stored.id, set);
  else await insertProvider(db, { id: ENVIRONMENT_ID, ...set, options });
}

/** A provider with its secret, to sign in by; refuses an unknown one, and any without a public address. */
export async function usableProvider(auth: Auth, id: string): Promise<Provider> {
  const row = found(await findById(auth.db, id));
  requirePublicUrl(auth);
  return withSecret(auth, row);
}

/** The public address, to which providers send browsers back. */
export function requirePublicUrl({ publicUrl }: Pick<Auth, "publicUrl">): string {
  if (publicUrl !== undefined) return publicUrl;
  throw new Refusal("forbidden", { setting: "PUBLIC_URL" }, explainSignIn("provider.off"));
}

/** The address at which a provider hands a browser back. */
export const redirectUriOf = (publicUrl: string, id: string) =>
  `${publicUrl}/sign-in/${id}/callback`;

const secretOwner = (provider: string) => `provider:${provider}`;

function findById(db: Db, id: string): Promise<ProviderRow | null> {
  return isStorable(id) ? findProvider(db, id) : Promise.resolve(null);
}

function withSecret(auth: Auth, row: NewProvider, given?: string): Provider {
  const secret = given ?? auth.box.decrypt(row.client_secret, secretOwner(row.id));
  if (secret === null)
    throw invalidValue("clientSecret", "secret", explainSignIn("provider.secret"));
  return { ...row, secret };
}

const noOptions = { trustEmail: null, createUsers: null, groups: null, secondFactor: null };

function optionsOf(call: PatchProviderCall, before?: ProviderOptions): ProviderOptions {
  const option = <K extends keyof typeof noOptions>(name: K) =>
    call[name] === undefined ? (before?.[name] ?? null) : call[name];
  const { scopes = before?.scopes } = call;
  const listed = typeof scopes === "string" ? scopes.split(/\s+/) : scopes;
  return {
    scopes: listed ?? DEFAULT_SCOPES,
    trustEmail: option("trustEmail"),
    createUsers: option("createUsers"),
    groups: option("groups"),
    secondFactor: option("secondFactor"),
  };
}

function changesOf(auth: Auth, row: ProviderRow, call: PatchProviderCall): Partial<NewProvider> {
  const { name, issuer, clientId, clientSecret } = call;
  if (row.from_environment) {
    const given = (["name", "issuer", "clientId", "clientSecret"] as const).find(
      (key) => call[key] !== undefined,
    );
    if (given) throw fromEnvironment(given);
  }
  if (issuer !== undefined && issuer !== row.issuer && clientSecret === undefined) {
    throw invalidValue("clientSecret", "required", explainSignIn("provider.secretAgain"));
  }
  return {
    ...(name !== undefined && { name }),
    ...(issuer !== undefined && { issuer }),
    ...(clientId !== undefined && { client_id: clientId }),
    ...(clientSecret !== undefined && {
      client_secret: auth.box.encrypt(clientSecret, secretOwner(row.id)),
    }),
    options: optionsOf(call, row.options),
  };
}

/** Roles that a provider gives exist, and are never the owner's. */
async function requireRoles(db: Db, { createUsers, groups }: ProviderOptions): Promise<void> {
  const otherwise = groups && groups.otherwise !== "refuse" ? [groups.otherwise] : [];
  const given: [field: string, role: string][] = [
    ...(createUsers ? [["createUsers", createUsers.role] as [string, string]] : []),
    ...[...(groups?.roles ?? []).map(({ role }) => role), ...otherwise].map(
      (role): [string, string] => ["groups", role],
    ),
  ];
  for (const [field, role] of given) {
    if (role === "owner") throw invalidValue(field, "owner", explainSignIn("provider.ownerRole"));
    if (!(await findRole(db, role))) throw invalidValue(field, "option", explain("user.noRole"));
  }
}

function fromEnvironment(field: string): Refusal {
  return invalidValue(field, "environment", explainSignIn("provider.fromEnvironment"));
}

function recordProvider(
  db: Db,
  me: Subject,
  kind: "provider_added" | "provider_changed" | "provider_removed",
  { id, name }: Pick<ProviderRow, "id" | "name">,
  detail: Record<string, string | string[]>,
): Promise<void> {
  return recordEvent(db, { kind, actor: me.id, subject: id, subjectName: name, detail });
}

function describe(row: ProviderRow, { publicUrl }: Auth): ProviderInfo {
  const { id, name, issuer, client_id, options, from_environment, users, created_at } = row;
  return {
    id,
    name,
    issuer,
    clientId: client_id,
    ...options,
    fromEnvironment: from_environment,
    redirectUri: publicUrl === undefined ? null : redirectUriOf(publicUrl, id),
    logoutUri: publicUrl === undefined ? null : `${publicUrl}/sign-in/${id}/logout`,
    users,
    createdAt: created_at,
  };
}
