import { z } from "zod";
import { defaultLimits, type Limits } from "../../shared/limits.ts";
import { addPassword } from "../store/database-address.ts";
import { limitSettings, limitVariable, settings } from "./settings.ts";

/**
 * The environment, read once and checked: nothing else reads a server's settings. An empty variable counts as
 * unset, so that compose files may pass empty ones.
 */

type Settings = typeof settings;
const variablesSchema = z.object(
  Object.fromEntries(Object.entries(settings).map(([name, { value }]) => [name, value])) as {
    [K in keyof Settings]: Settings[K]["value"];
  },
);

export interface Config {
  port: number;
  host: string;
  dataDir: string;
  databaseUrl: string | undefined;
  /** Of the role that owns the tables, if that of `databaseUrl` may only read and write them. */
  databaseOwnerUrl: string | undefined;
  redisUrl: string | undefined;
  /** The public address, without a slash at the end; undefined: from each request. */
  publicUrl: string | undefined;
  /** Proxies in front, by count or by their addresses, as Express understands `trust proxy`. */
  trustProxy: number | string;
  logLevel: z.infer<Settings["LOG_LEVEL"]["value"]>;
  /** The first owner, without the set-up link. */
  owner: { email: string; password: string } | undefined;
  template: "service-desk" | "orders-stock" | "empty" | undefined;
  /** Encrypts stored authenticator secrets; the same on all servers. */
  secretKey: string | undefined;
  /** The folder for scheduled backups; undefined: there are none. */
  backupDir: string | undefined;
  /** The folder to which old changes are written before they are deleted; undefined: they are only deleted. */
  logArchiveDir: string | undefined;
  /** The token for `/metrics`; undefined: only processes on this machine. */
  metricsToken: string | undefined;
  /** The language in whose order texts are sorted. */
  language: string;
  /** Whether webhooks may be sent to addresses that are not on the public internet. */
  webhookAllowPrivate: boolean;
  limits: Limits;
}

/** An invalid setting: its message is the one sentence that the operator needs. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Reads the configuration; throws a ConfigError that names the first bad variable. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const v = check(variablesSchema, set);
  return {
    port: v.PORT,
    host: v.HOST,
    dataDir: v.DATA_DIR,
    databaseUrl: withPassword("DATABASE", v.DATABASE_URL, v.DATABASE_PASSWORD),
    databaseOwnerUrl: ownerUrlOf(v),
    redisUrl: withPassword("REDIS", v.REDIS_URL, v.REDIS_PASSWORD),
    publicUrl: v.PUBLIC_URL,
    trustProxy: v.TRUST_PROXY,
    logLevel: v.LOG_LEVEL,
    owner: ownerOf(v.WATCHFLOOR_OWNER_EMAIL, v.WATCHFLOOR_OWNER_PASSWORD),
    template: v.WATCHFLOOR_TEMPLATE,
    secretKey: v.WATCHFLOOR_SECRET_KEY,
    backupDir: v.WATCHFLOOR_BACKUP_DIR,
    logArchiveDir: v.WATCHFLOOR_LOG_ARCHIVE_DIR,
    metricsToken: v.WATCHFLOOR_METRICS_TOKEN,
    language: v.WATCHFLOOR_LANGUAGE,
    webhookAllowPrivate: v.WATCHFLOOR_WEBHOOK_ALLOW_PRIVATE === "true",
    limits: {
      ...defaultLimits,
      ...Object.fromEntries(limitSettings.map((name) => [name, v[limitVariable(name)]])),
    },
  };
}

/** `readConfig` for a process that is starting: an invalid setting is one sentence and exit status 1. */
export function configOrExit(environment: NodeJS.ProcessEnv = process.env): Config {
  try {
    return readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

/**
 * What others on the network of Redis can do, and what to do about it; null if they can't: its address is of this machine, or it
 * is encrypted and has a password.
 */
export function redisRisk(redisUrl: string): { message: string; advice: string } | null {
  const { protocol, hostname, host, username, password } = new URL(redisUrl);
  if (/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return null;
  const isEncrypted = protocol === "rediss:";
  const hasPassword = username !== "" || password !== "";
  if (isEncrypted && hasPassword) return null;
  const message = hasPassword
    ? `Redis at ${host} is beyond this machine and not encrypted: whoever reads that network reads changed records.`
    : `Redis at ${host} is beyond this machine and has no password: whoever reaches it reads changed records.`;
  const advice = isEncrypted
    ? "Give Redis a password (requirepass) and set REDIS_PASSWORD."
    : "Use rediss:// (TLS of Redis) and REDIS_PASSWORD. Over a network that only these machines are on, the password is enough.";
  return { message, advice };
}

/** An address with a password that was given apart from it, and so needs no escaping. */
function withPassword(
  name: "DATABASE" | "DATABASE_OWNER" | "REDIS",
  address: string | undefined,
  password: string | undefined,
): string | undefined {
  if (password === undefined) return address;
  if (address === undefined) {
    throw new ConfigError(`${name}_URL is missing: ${name}_PASSWORD goes with it.`);
  }
  const complete = addPassword(address, password);
  if (complete !== null) return complete;
  throw new ConfigError(`${name}_PASSWORD can't be used: ${name}_URL names no host.`);
}

function ownerUrlOf(v: z.infer<typeof variablesSchema>): string | undefined {
  const owner = withPassword("DATABASE_OWNER", v.DATABASE_OWNER_URL, v.DATABASE_OWNER_PASSWORD);
  if (v.DATABASE_URL || owner === undefined) return owner;
  throw new ConfigError("DATABASE_URL is missing: DATABASE_OWNER_URL goes with it.");
}

function ownerOf(email: string | undefined, password: string | undefined): Config["owner"] {
  if (!email && !password) return undefined;
  if (email && password) return { email, password };
  const missing = email ? "WATCHFLOOR_OWNER_PASSWORD" : "WATCHFLOOR_OWNER_EMAIL";
  throw new ConfigError(`${missing} is missing: an owner needs both an email and a password.`);
}

/** The value itself is never repeated: it may be a password. */
function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new ConfigError(`${issue?.path.join(".")} can't be used: ${issue?.message}.`);
}
