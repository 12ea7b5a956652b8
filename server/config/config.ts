import { z } from "zod";
import { defaultLimits, type Limits } from "../../shared/limits.ts";

/**
 * The environment, read once and checked: past this file nobody looks at `process.env`. A variable
 * that is set to nothing counts as not set, so that compose files may pass empty ones through.
 */

const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http or https address" });
const trustProxy = z
  .string()
  .regex(/^(true|false|\d{1,2}|[0-9a-fA-F.:/, ]+|(loopback|linklocal|uniquelocal)(, ?\w+)*)$/, {
    error: "must be true, false, a number of proxies or their addresses",
  })
  .transform((text) => (text === "true" ? 1 : text === "false" ? 0 : asCount(text)));

export const variablesSchema = z.object({
  PORT: z.coerce.number("must be a port").int("must be a port").min(0).max(65_535).default(3_000),
  HOST: z.string().default("0.0.0.0"),
  DATA_DIR: z.string().default("./data"),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must begin with postgres://")
    .optional(),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, "must begin with redis://")
    .optional(),
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
  WATCHFLOOR_TEMPLATE: z.enum(["service-desk", "orders-stock", "empty"]).optional(),
});

export interface Config {
  port: number;
  host: string;
  dataDir: string;
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  /** How people reach the server, without a slash at the end; undefined: as the request says. */
  publicUrl: string | undefined;
  /** Proxies in front, by count or by their addresses, as Express understands `trust proxy`. */
  trustProxy: number | string;
  logLevel: z.infer<typeof variablesSchema>["LOG_LEVEL"];
  /** The first owner, where no person is there to follow the set-up link. */
  owner: { email: string; password: string } | undefined;
  template: "service-desk" | "orders-stock" | "empty" | undefined;
  /** Encrypts what the database keeps of authenticators; the same on all servers. */
  secretKey: string | undefined;
  limits: Limits;
}

/** A setting that can't be used: its message is the one sentence that the operator needs. */
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
    databaseUrl: v.DATABASE_URL,
    redisUrl: v.REDIS_URL,
    publicUrl: v.PUBLIC_URL,
    trustProxy: v.TRUST_PROXY,
    logLevel: v.LOG_LEVEL,
    owner: ownerOf(v.WATCHFLOOR_OWNER_EMAIL, v.WATCHFLOOR_OWNER_PASSWORD),
    template: v.WATCHFLOOR_TEMPLATE,
    secretKey: v.WATCHFLOOR_SECRET_KEY,
    limits: readLimits(set),
  };
}

/** `readConfig` for a process that is starting: a bad setting is one sentence and exit status 1. */
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

function readLimits(set: Record<string, unknown>): Limits {
  const names = Object.keys(defaultLimits) as (keyof Limits)[];
  const limit = z.coerce.number("must be a whole number").int("must be a whole number").min(1);
  const shape = names.map((n) => [limitVariable(n), limit.default(defaultLimits[n])] as const);
  const values = check(z.object(Object.fromEntries(shape)), set);
  return Object.fromEntries(names.map((n) => [n, values[limitVariable(n)]])) as Limits;
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
