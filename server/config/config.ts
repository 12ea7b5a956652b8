import { isIP } from "node:net";
import { z } from "zod";
import { defaultLimits, type Limits } from "../../shared/limits.ts";
import { addPassword, asksForWritable, splitHosts } from "../store/database-address.ts";

/**
 * The environment, read once and checked: no other file reads `process.env`. An empty variable counts as
 * unset, so that compose files may pass empty ones.
 */

const httpUrl = z
  .url({ protocol: /^https?$/, error: "must be an http or https address" })
  .refine(isPlainAddress, "must have no user, query or fragment")
  .refine(isRoot, "must have no path: Watchfloor must be at the root of its host");
const trustProxy = z
  .string()
  .refine((text) => /^(true|false|\d{1,2})$/.test(text) || text.split(",").every(isNetwork), {
    error: "must be true, false, a number of proxies or their addresses",
  })
  .transform((text) => (text === "true" ? 1 : text === "false" ? 0 : asCount(text)));
/** Digits only: the meaning of `1e3`, blanks or `0x10` is unclear. */
const wholeNumber = (error: string) =>
  z
    .string()
    .regex(/^\d{1,16}$/, error)
    .transform(Number);

const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, "must begin with postgres://")
  .refine(
    isDatabaseAddress,
    "must be postgres://user:password@host/database, with special characters escaped",
  )
  .refine(
    asksForWritable,
    "must say target_session_attrs=read-write, or nothing: Watchfloor needs the server that accepts changes",
  );

export const variablesSchema = z.object({
  PORT: wholeNumber("must be a port").pipe(z.int().max(65_535, "must be a port")).default(3_000),
  HOST: z.string().regex(/^\S+$/, "must be an address without blanks").default("0.0.0.0"),
  DATA_DIR: z.string().default("./data"),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_OWNER_URL: postgresUrl.optional(),
  DATABASE_PASSWORD: z.string().optional(),
  DATABASE_OWNER_PASSWORD: z.string().optional(),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, "must begin with redis://")
    .refine(
      (text) => URL.canParse(text) && new URL(text).hostname !== "",
      "must be redis://host:port",
    )
    .optional(),
  REDIS_PASSWORD: z.string().optional(),
  PUBLIC_URL: httpUrl.transform((url) => url.replace(/\/+$/, "")).optional(),
  TRUST_PROXY: trustProxy.default(0),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  WATCHFLOOR_OWNER_EMAIL: z.string().trim().min(3).max(254).includes("@").optional(),
  WATCHFLOOR_OWNER_PASSWORD: z
    .string()
    .min(12, "must have at least 12 characters")
    .max(1_000)
    .optional(),
  WATCHFLOOR_SECRET_KEY: z.string().min(32, "must have at least 32 characters").optional(),
  WATCHFLOOR_BACKUP_DIR: z.string().optional(),
  WATCHFLOOR_LOG_ARCHIVE_DIR: z.string().optional(),
  WATCHFLOOR_METRICS_TOKEN: z.string().min(16, "must have at least 16 characters").optional(),
  WATCHFLOOR_WEBHOOK_ALLOW_PRIVATE: z.enum(["true", "false"]).default("false"),
  WATCHFLOOR_TEMPLATE: z.enum(["service-desk", "orders-stock", "empty"]).optional(),
});

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
  logLevel: z.infer<typeof variablesSchema>["LOG_LEVEL"];
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
    webhookAllowPrivate: v.WATCHFLOOR_WEBHOOK_ALLOW_PRIVATE === "true",
    limits: readLimits(set),
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

/** The variable that changes a limit. */
export function limitVariable(name: keyof Limits): string {
  return `WATCHFLOOR_${name}`;
}

/** Limits used for timers. A timer with a longer delay fires without a pause. */
const timers = /_(INTERVAL|TICK|POLL|TIMEOUT|HEARTBEAT|PING|GRACE)_MS$/;
const TIMER_MAX_MS = 2_147_483_647;

const limitNames = Object.keys(defaultLimits) as (keyof Limits)[];
/** Built once: that takes 8 ms, and checking an environment with it 0.1 ms. */
const limitsSchema = z.object(
  Object.fromEntries(limitNames.map((name) => [limitVariable(name), limitSchema(name)])),
);

function limitSchema(name: keyof Limits) {
  const max = timers.test(name) ? TIMER_MAX_MS : Number.MAX_SAFE_INTEGER;
  const limit = wholeNumber("must be a whole number").pipe(z.int().min(1).max(max));
  return limit.default(defaultLimits[name]);
}

function readLimits(set: Record<string, unknown>): Limits {
  const values = check(limitsSchema, set);
  return Object.fromEntries(limitNames.map((n) => [n, values[limitVariable(n)]])) as Limits;
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

/** What is not an address at all is reported by another rule. */
function isPlainAddress(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { search, hash, username } = new URL(text);
  return `${search}${hash}${username}` === "";
}

/** Pages, assets and cookies are addressed from the root: below a path the page stays blank. */
function isRoot(text: string): boolean {
  return !URL.canParse(text) || /^\/*$/.test(new URL(text).pathname);
}

/** Also an address of a Unix socket: its host is in the query, or is left to the system. Also one of several hosts. */
function isDatabaseAddress(text: string): boolean {
  try {
    return splitHosts(text).every((address) => {
      const { hostname, pathname, username, password } = new URL(address);
      for (const part of [hostname, pathname, username, password]) decodeURIComponent(part);
      return hostname !== "" || pathname.length > 1;
    });
  } catch {
    return false;
  }
}

/** An address or a network of them, or one of Express' names for some. */
function isNetwork(text: string): boolean {
  const [address = "", bits, ...more] = text.trim().split("/");
  if (/^(loopback|linklocal|uniquelocal)$/.test(address)) return bits === undefined;
  const max = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (bits === undefined) return max > 0;
  const isMask = isIP(address) === 4 && isIP(bits) === 4;
  return more.length === 0 && (isMask || (/^\d{1,3}$/.test(bits) && Number(bits) <= max));
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

function asCount(text: string): number | string {
  return /^\d+$/.test(text) ? Number(text) : text;
}

/** The value itself is never repeated: it may be a password. */
function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new ConfigError(`${issue?.path.join(".")} can't be used: ${issue?.message}.`);
}
