import { z } from "zod";
import { isStorable, NOT_STORABLE } from "../filter/storable.ts";
import { issuerFault } from "./provider-address.ts";
import { byId, byToken, defineRoutes, listOf } from "./route.ts";

/**
 * Signing in with the company's accounts, by OpenID Connect: the providers that are connected, what a browser needs to begin, the
 * accounts that a user has linked, and who may still sign in without a provider.
 */

const text = (max: number) => z.string().trim().min(1).max(max).refine(isStorable, NOT_STORABLE);

/** The id of a provider, which is in the addresses that are registered there. */
export const providerIdSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, "must be lower-case letters, digits and hyphens");

const issuerFaults = {
  notHttps: "must be an https address",
  placeholder: "must name the tenant, not a placeholder",
  parts: "must have no user, query or fragment",
};

/** The address by which a provider names itself in what it signs. */
export const issuerSchema = z
  .url()
  .trim()
  .max(500)
  .check(({ value, issues }) => {
    const fault = issuerFault(value);
    if (fault) issues.push({ code: "custom", message: issuerFaults[fault], input: value });
  });

const domainSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^[^\s@/]+\.[^\s@/]+$/, "must be a domain, such as example.com");
const domainsSchema = z.array(domainSchema).min(1).max(100);
const roleIdSchema = z.string().min(1).max(120).refine(isStorable, NOT_STORABLE);

const scopesSchema = z.union([z.array(text(100)).max(20), text(1_000)]);
const trustEmailSchema = z.strictObject({ domains: domainsSchema });
const createUsersSchema = z.strictObject({ domains: domainsSchema.optional(), role: roleIdSchema });
const groupsSchema = z.strictObject({
  claim: text(200),
  /** In order: the first group that a user has decides. */
  roles: z.array(z.strictObject({ group: text(300), role: roleIdSchema })).max(200),
  /** The role of users with none of the groups, or `refuse`. */
  otherwise: roleIdSchema,
});
/** What the provider sends of a sign-in with two factors: one of these values is enough. */
const providerFactorSchema = z.strictObject({
  acr: z.array(text(200)).max(20).optional(),
  amr: z.array(text(50)).max(20).optional(),
});

const createProviderSchema = z.strictObject({
  id: providerIdSchema,
  name: text(60),
  issuer: issuerSchema,
  clientId: text(300),
  clientSecret: text(1_000),
  scopes: scopesSchema.nullish(),
  trustEmail: trustEmailSchema.nullish(),
  createUsers: createUsersSchema.nullish(),
  groups: groupsSchema.nullish(),
  secondFactor: providerFactorSchema.nullish(),
});
export type CreateProviderCall = z.infer<typeof createProviderSchema>;

/** Absent properties do not change; `null` removes an option. The id is in addresses that others have registered. */
const patchProviderSchema = createProviderSchema.omit({ id: true }).partial();
export type PatchProviderCall = z.infer<typeof patchProviderSchema>;

const providerSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    issuer: z.string(),
    clientId: z.string(),
    scopes: z.array(z.string()),
    trustEmail: trustEmailSchema.nullable(),
    createUsers: createUsersSchema.nullable(),
    groups: groupsSchema.nullable(),
    secondFactor: providerFactorSchema.nullable(),
    /** Name, issuer and client are set by the environment of the server, and change only there. */
    fromEnvironment: z.boolean(),
    /** The addresses to register at the provider; null without `PUBLIC_URL`, where nobody can sign in by it. */
    redirectUri: z.string().nullable(),
    logoutUri: z.string().nullable(),
    /** How many users have linked an account of it. */
    users: z.int(),
    createdAt: z.string(),
  })
  .meta({ id: "IdentityProvider" });
export type ProviderInfo = z.infer<typeof providerSchema>;
export type ProviderOptions = Pick<
  ProviderInfo,
  "scopes" | "trustEmail" | "createUsers" | "groups" | "secondFactor"
>;

const providerStateSchema = z.object({
  /** Why nobody can sign in by it, with the key of the sentence; null if it can be read. */
  problem: z.looseObject({ message: z.string() }).nullable(),
  /** By how many seconds its clock is ahead of the server's; null if it does not say. A sign-in bears 60. */
  aheadS: z.int().nullable(),
});
export type ProviderState = z.infer<typeof providerStateSchema>;

const policySchema = z.strictObject({
  /** Roles whose users sign in by a provider only: neither by a password nor by a passkey. */
  providerOnly: z.array(roleIdSchema).max(200),
  /** Roles whose users need a second factor for every sign-in. */
  secondFactor: z.array(roleIdSchema).max(200),
  /** The owner who may always sign in by password; each use is a security event. */
  breakGlass: z.string().max(120).nullable(),
});
export type SignInPolicy = z.infer<typeof policySchema>;

const storedPolicySchema = policySchema.extend({
  /** The address that users open; null: sign-in by provider is off. */
  publicUrl: z.string().nullable(),
  /** Active users of roles that need a second factor who have none: they add one at their next sign-in. */
  withoutFactor: z.int(),
});
export type StoredPolicy = z.infer<typeof storedPolicySchema>;

/** A page of this server to come back to. */
const returnToSchema = z.string().max(2_000).optional();
/** Where the browser goes on, at the provider. */
const locationSchema = z.object({ location: z.string() });

const signInMethodsSchema = z.object({
  providers: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Why the last sign-in by a provider in this browser was refused. */
  problem: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
});
export type SignInMethods = z.infer<typeof signInMethodsSchema>;

const linkedAccountSchema = z.object({
  id: z.string(),
  provider: z.string(),
  /** Null once the provider was removed. */
  name: z.string().nullable(),
  createdAt: z.string(),
  lastUsed: z.string(),
});
export type LinkedAccount = z.infer<typeof linkedAccountSchema>;

const change = { right: "session", needsProof: true } as const;

export const identityProviderRoutes = defineRoutes(() => ({
  "GET /identity-providers": {
    summary: "The providers of company accounts. Only for owners.",
    right: "session",
    answer: listOf(providerSchema),
  },
  "POST /identity-providers": {
    ...change,
    summary:
      "Connect a provider of company accounts. Its discovery is read first. Only for owners.",
    body: createProviderSchema,
    answer: providerSchema,
    status: 201,
    errors: ["duplicate", "validation_failed"],
  },
  "GET /identity-providers/{id}": {
    summary: "One provider. Its client secret is never answered. Only for owners.",
    right: "session",
    params: byId,
    answer: providerSchema,
  },
  "GET /identity-providers/{id}/state": {
    summary:
      "Whether a provider can be read now, and by how much its clock differs. Only for owners.",
    right: "session",
    params: byId,
    answer: providerStateSchema,
  },
  "PATCH /identity-providers/{id}": {
    ...change,
    summary: "Change a provider; what is absent stays, `null` removes an option. Only for owners.",
    params: byId,
    body: patchProviderSchema,
    answer: providerSchema,
    errors: ["validation_failed"],
  },
  "DELETE /identity-providers/{id}": {
    ...change,
    summary:
      "Disconnect a provider. Ends the sessions that began there; users and linked accounts stay. Only for owners.",
    params: byId,
    errors: ["validation_failed"],
  },
  "GET /sign-in-policy": {
    summary: "Who signs in how, by role. Only for owners.",
    right: "session",
    answer: storedPolicySchema,
  },
  "PUT /sign-in-policy": {
    ...change,
    summary: "Change who signs in how, from the next sign-in on. Only for owners.",
    body: policySchema,
    answer: storedPolicySchema,
    errors: ["validation_failed"],
  },
}));

/** Beginning at a provider. `GET /sign-in/{id}`, outside of this API, begins a sign-in. */
export const providerSignInRoutes = defineRoutes(() => ({
  "GET /sign-in-methods": {
    summary: "The providers to sign in by, and why the last attempt of this browser was refused.",
    right: "none",
    answer: signInMethodsSchema,
  },
  "POST /session/proof/{provider}": {
    withoutFactor: true,
    summary:
      "Prove again who you are at a provider: it asks anew. Then what `POST /session/proof` allows is allowed.",
    right: "session",
    params: z.object({ provider: z.string().max(120).describe("The id of the provider.") }),
    body: z.strictObject({ returnTo: returnToSchema }),
    answer: locationSchema,
    errors: ["not_found", "validation_failed"],
  },
  "POST /session/end": {
    summary:
      "Sign out, and also at the provider by which the session began: the browser goes on to `location`, if there is one.",
    right: "none",
    answer: z.object({ location: z.string().nullable() }),
  },
  "POST /invitations/{token}/sign-in": {
    summary: "Accept an invitation with a company account.",
    right: "none",
    params: byToken,
    body: z.strictObject({ provider: z.string().max(120) }),
    answer: locationSchema,
    errors: ["not_found", "validation_failed"],
  },
  "GET /me/linked-accounts": {
    summary: "The company accounts by which I sign in.",
    right: "session",
    answer: listOf(linkedAccountSchema),
  },
  "POST /me/linked-accounts": {
    summary: "Link a company account to mine. Needs the password.",
    right: "session",
    body: z.strictObject({
      provider: z.string().max(120),
      password: z.string().min(1).max(1_000),
      returnTo: returnToSchema,
    }),
    answer: locationSchema,
    errors: ["not_found", "validation_failed"],
  },
  "DELETE /me/linked-accounts/{id}": {
    ...change,
    summary: "Unlink a company account. Who has no password keeps the last one.",
    params: byId,
    errors: ["validation_failed"],
  },
}));
