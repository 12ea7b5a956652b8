import { isIP } from "node:net";
import { z } from "zod";
import { DEFAULT_LANGUAGE } from "../../shared/filter/text-order.ts";
import { defaultLimits, type Limits } from "../../shared/limits.ts";
import { issuerSchema } from "../../shared/protocol/identity-providers.ts";
import { asksForWritable, splitHosts } from "../store/database-address.ts";

/**
 * What an operator may set, by variables of the environment: each with its check, its default and its meaning, from
 * which `npm run docs` writes docs/guides/configuration.md. Whatever else bounds the product is a constant beside its
 * use, or in shared/limits.ts if tests change it.
 */

export interface Setting {
  readonly value: z.ZodType;
  readonly meaning: string;
  /** What applies without it, if the check has no default. */
  readonly unset?: string;
}

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

const named = {
  PORT: {
    value: wholeNumber("must be a port").pipe(z.int().max(65_535, "must be a port")).default(3_000),
    meaning: "Port to listen on; `0` takes a free one.",
  },
  HOST: {
    value: z.string().regex(/^\S+$/, "must be an address without blanks").default("0.0.0.0"),
    meaning: "Address to listen on.",
  },
  DATA_DIR: {
    value: z.string().default("./data"),
    meaning: "Folder of the embedded Postgres. Not used with `DATABASE_URL`.",
  },
  DATABASE_URL: {
    value: postgresUrl.optional(),
    meaning:
      "Your own Postgres 15 or newer, `postgres://user:password@host/database`, or with several hosts as for libpq: `host1:5432,host2:5432`. The role should own the database and not be a superuser.",
    unset: "the embedded one",
  },
  DATABASE_OWNER_URL: {
    value: postgresUrl.optional(),
    meaning:
      "Another role on the same database, for migrations and changes of the model. It owns the tables; the role of `DATABASE_URL` may then only read and write them.",
  },
  DATABASE_PASSWORD: {
    value: z.string().optional(),
    meaning: "The password for `DATABASE_URL`, as it is: nothing in it needs escaping.",
    unset: "in the address",
  },
  DATABASE_OWNER_PASSWORD: {
    value: z.string().optional(),
    meaning: "The password for `DATABASE_OWNER_URL`, likewise.",
    unset: "in the address",
  },
  REDIS_URL: {
    value: z
      .string()
      .regex(/^rediss?:\/\//, "must begin with redis://")
      .refine(
        (text) => URL.canParse(text) && new URL(text).hostname !== "",
        "must be redis://host:port",
      )
      .optional(),
    meaning:
      "Redis, `redis://host:6379`, with TLS `rediss://`: needed as soon as several servers share a database.",
  },
  REDIS_PASSWORD: {
    value: z.string().optional(),
    meaning: "The password for `REDIS_URL`, likewise.",
    unset: "in the address",
  },
  PUBLIC_URL: {
    value: httpUrl.transform((url) => url.replace(/\/+$/, "")).optional(),
    meaning:
      "The address users open, such as `https://desk.example.com`, without a path: Watchfloor must be at the root of its host. Used in links and to recognise requests from its own pages. Passkeys need it, except on `localhost`.",
    unset: "from each request",
  },
  SMTP_URL: {
    value: z
      .string()
      .regex(/^smtps?:\/\//, "must begin with smtp:// or smtps://")
      .refine(
        (text) => URL.canParse(text) && new URL(text).hostname !== "",
        "must be smtp://user:password@host:port, with special characters escaped",
      )
      .optional(),
    meaning:
      "The mail server, `smtp://user:password@host:587`, or `smtps://` with TLS from the start: invitations, password resets and notifications are mailed ([mail.md](mail.md)). Needs `MAIL_FROM` and `PUBLIC_URL`.",
    unset: "no mail: links are shown to whoever makes them",
  },
  MAIL_FROM: {
    value: z
      .string()
      .trim()
      .max(320)
      .regex(
        /^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
        "must be an address, or Name <address>",
      )
      .optional(),
    meaning: "The sender of mail, `Watchfloor <watchfloor@example.com>`.",
  },
  TRUST_PROXY: {
    value: trustProxy.default(0),
    meaning:
      "`true` (one proxy in front), the number of proxies, or their addresses. Only then are `X-Forwarded-*` headers trusted: client addresses, https, the host.",
    unset: "false",
  },
  LOG_LEVEL: {
    value: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
    meaning:
      "`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`. Logs are JSON lines on standard output.",
  },
  WATCHFLOOR_OWNER_EMAIL: {
    value: z.string().trim().min(3).max(254).includes("@").optional(),
    meaning: "Creates the owner on the first start, without the set-up link.",
  },
  WATCHFLOOR_OWNER_PASSWORD: {
    value: z.string().min(12, "must have at least 12 characters").max(1_000).optional(),
    meaning: "The owner's password, at least 12 characters and not easily guessed.",
  },
  WATCHFLOOR_SECRET_KEY: {
    value: z.string().min(32, "must have at least 32 characters").optional(),
    meaning:
      "At least 32 random characters, the same on all servers: encrypts the secrets of authenticator apps, webhooks and identity providers in the database. With the embedded Postgres the first start makes one, in the file `secret-key` of `DATA_DIR`; with your own it must be set: without it they are stored readable. Set it first while all servers are stopped: the first one that starts with it encrypts what the others would still read as plain. If it is lost, remove users' second factors, replace the webhooks' secrets and enter the providers' again.",
  },
  WATCHFLOOR_BACKUP_DIR: {
    value: z.string().optional(),
    meaning:
      "Folder for scheduled backups ([backup.md](backup.md)). With several servers, set it on all of them, to a folder that they share.",
  },
  WATCHFLOOR_LOG_ARCHIVE_DIR: {
    value: z.string().optional(),
    meaning:
      "Folder to which changes of records are written before they are deleted by age ([change-sets.md](change-sets.md#keep-old-changes)). With several servers, set it on all of them, to a folder that they share.",
  },
  WATCHFLOOR_OIDC_ISSUER: {
    value: issuerSchema.optional(),
    meaning:
      "Connects the company's accounts ([company-sign-in.md](company-sign-in.md)): the issuer of an OpenID Connect provider, https. It is the provider `company`; more are added under Sign-in. Needs `PUBLIC_URL`.",
  },
  WATCHFLOOR_OIDC_CLIENT_ID: {
    value: z.string().max(300).optional(),
    meaning: "The client that is registered at the provider.",
  },
  WATCHFLOOR_OIDC_CLIENT_SECRET: {
    value: z.string().max(1_000).optional(),
    meaning: "Its secret.",
  },
  WATCHFLOOR_OIDC_NAME: {
    value: z.string().trim().min(1).max(60).default("Company account"),
    meaning: "What the button on the sign-in page calls the provider.",
  },
  WATCHFLOOR_METRICS_TOKEN: {
    value: z.string().min(16, "must have at least 16 characters").optional(),
    meaning:
      "At least 16 characters: `/metrics` requires it as `Authorization: Bearer`. Without it, only processes on the same machine are answered, and none where `PUBLIC_URL` or `TRUST_PROXY` is set.",
  },
  WATCHFLOOR_WEBHOOK_ALLOW_PRIVATE: {
    value: z.enum(["true", "false"]).default("false"),
    meaning:
      "`true`: webhooks may also be sent to this machine and to private networks. Whoever has the right `webhooks` can then send requests to everything that the server reaches.",
  },
  WATCHFLOOR_LANGUAGE: {
    value: z
      .string()
      .refine(isLanguage, "must be a language, such as de or sv")
      .default(DEFAULT_LANGUAGE),
    meaning:
      "The language in whose order texts and names are sorted, such as `de`, `sv` or `de-u-co-phonebk`. With several servers, the same on all of them. A change sorts at once; indexes are built anew in the background.",
  },
  WATCHFLOOR_TEMPLATE: {
    value: z.enum(["service-desk", "orders-stock", "empty"]).optional(),
    meaning: "`service-desk`, `orders-stock` or `empty`: what the first start installs.",
    unset: "service-desk; empty in a database with tables of other programs",
  },
} satisfies Record<string, Setting>;

/** Limits that an operator changes, as `WATCHFLOOR_<NAME>`; their defaults are in shared/limits.ts. */
const meaningsOfLimits = {
  LOG_KEEP_MS:
    "How long the change log is retained for catch-up and undo (by default 90 d, at least an hour).",
  SECURITY_EVENT_KEEP_MS:
    "How long sign-ins, failures and changes of rights are retained (by default 400 d, at least an hour).",
  BACKUP_INTERVAL_MS:
    "Time between two scheduled backups, if `WATCHFLOOR_BACKUP_DIR` is set (by default 24 h).",
  BACKUP_KEEP_FILES: "Scheduled backups that are retained; older ones are deleted.",
  SESSION_IDLE_MS: "A session ends when unused for this long (by default 12 h).",
  SESSION_ABSOLUTE_MS: "A session ends at this age (by default 30 d).",
  PROVIDER_SESSION_MS:
    "A session that began with a company account ends at this age (by default 24 h).",
  INVITATION_TTL_MS: "How long an invitation link is valid (by default 7 d).",
  IMPORT_FILE_MAX_BYTES: "Largest file to import (by default 100 MiB).",
  EXPORT_FILE_MAX_BYTES:
    "How much of an export may be in the temporary folder because its reader has not taken it yet (by default 2 GiB). Reading waits beyond.",
  READS_AT_ONCE:
    "Reads (pages, records, history, summaries) that one server runs at the same time. They have their own database connections: sign-in, sessions and edits never wait for them.",
  READ_TIMEOUT_MS: "A longer read is cancelled and answered `query_timeout`.",
  REQUESTS_PER_USER: "Requests of one user in ten seconds, over all servers.",
  REQUESTS_PER_TOKEN:
    "Requests with one API token in ten seconds. They do not count for its creator.",
  REQUESTS_PER_ADDRESS: "Requests from one network address in ten seconds.",
  STOP_TIMEOUT_MS:
    "A server that was asked to stop ends within this time. Requests have 40 % of it, all work 60 %; the rest is for the embedded Postgres. What was cut off is in the log.",
} as const satisfies Partial<Record<keyof Limits, string>>;

export type LimitSetting = keyof typeof meaningsOfLimits;
export const limitSettings = Object.keys(meaningsOfLimits) as LimitSetting[];

/** The variable that changes a limit. */
export function limitVariable<N extends LimitSetting>(name: N): `WATCHFLOOR_${N}` {
  return `WATCHFLOOR_${name}`;
}

/** A timer with a longer delay fires without a pause. */
const TIMER_MAX_MS = 2_147_483_647;

/** Who sets less has taken the unit for seconds, hours or days. Of what is deleted by age, what is lost could not be brought back. */
const leastMs: Partial<Record<LimitSetting, { ms: number; text: string }>> = {
  LOG_KEEP_MS: { ms: 3_600_000, text: "an hour" },
  SECURITY_EVENT_KEEP_MS: { ms: 3_600_000, text: "an hour" },
  SESSION_IDLE_MS: { ms: 60_000, text: "a minute" },
  SESSION_ABSOLUTE_MS: { ms: 60_000, text: "a minute" },
  PROVIDER_SESSION_MS: { ms: 60_000, text: "a minute" },
  INVITATION_TTL_MS: { ms: 60_000, text: "a minute" },
  BACKUP_INTERVAL_MS: { ms: 60_000, text: "a minute" },
  READ_TIMEOUT_MS: { ms: 100, text: "100" },
  STOP_TIMEOUT_MS: { ms: 1_000, text: "1000" },
};

function limitSetting(name: LimitSetting) {
  const max = /_(INTERVAL|TIMEOUT)_MS$/.test(name) ? TIMER_MAX_MS : Number.MAX_SAFE_INTEGER;
  const bound = leastMs[name];
  const least = bound
    ? z.int().min(bound.ms, `must be at least ${bound.text}: it is in milliseconds`)
    : z.int().min(1);
  const value = wholeNumber("must be a whole number").pipe(least.max(max));
  // Read late: a process under test changes the defaults first.
  return { value: value.default(() => defaultLimits[name]), meaning: meaningsOfLimits[name] };
}

export const settings = {
  ...named,
  ...(Object.fromEntries(
    limitSettings.map((name) => [limitVariable(name), limitSetting(name)]),
  ) as Record<`WATCHFLOOR_${LimitSetting}`, ReturnType<typeof limitSetting>>),
};

/** Read by commands that sign in, and by `move`. */
const ofCommands = ["TOKEN", "EMAIL", "PASSWORD", "MOVE_TO"];

/** Variables that are named like settings and are none: misspelled, or of another version. They are ignored. */
export function unknownSettings(environment: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(environment).filter(
    (name) =>
      /^WATCHFLOOR_/.test(name) &&
      !Object.hasOwn(settings, name) &&
      !ofCommands.includes(name.slice("WATCHFLOOR_".length)),
  );
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

/** A language that this runtime knows an order of: browsers place changed rows by the same. */
function isLanguage(text: string): boolean {
  try {
    return /^[a-z]/.test(text) && Intl.Collator.supportedLocalesOf(text).length > 0;
  } catch {
    return false;
  }
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

function asCount(text: string): number | string {
  return /^\d+$/.test(text) ? Number(text) : text;
}
