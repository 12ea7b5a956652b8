import type { Limits } from "../../shared/limits.ts";
import type { variablesSchema } from "./config.ts";

/** What each setting means, for docs/guides/configuration.md (`npm run docs`). */

interface SettingText {
  meaning: string;
  /** What applies without it, if the schema has no default. */
  unset?: string;
}

export const settingTexts: Readonly<Record<keyof typeof variablesSchema.shape, SettingText>> = {
  PORT: { meaning: "Port to listen on; `0` takes a free one." },
  HOST: { meaning: "Address to listen on." },
  DATA_DIR: { meaning: "Folder of the embedded Postgres. Not used with `DATABASE_URL`." },
  DATABASE_URL: {
    meaning:
      "Your own Postgres 15 or newer, `postgres://user:password@host/database`, or with several hosts as for libpq: `host1:5432,host2:5432`. The role should own the database and not be a superuser.",
    unset: "the embedded one",
  },
  DATABASE_OWNER_URL: {
    meaning:
      "Another role on the same database, for migrations and changes of the model. It owns the tables; the role of `DATABASE_URL` may then only read and write them.",
  },
  DATABASE_PASSWORD: {
    meaning: "The password for `DATABASE_URL`, as it is: nothing in it needs escaping.",
    unset: "in the address",
  },
  DATABASE_OWNER_PASSWORD: {
    meaning: "The password for `DATABASE_OWNER_URL`, likewise.",
    unset: "in the address",
  },
  REDIS_URL: {
    meaning: "Redis, `redis://host:6379`: needed as soon as several servers share a database.",
  },
  REDIS_PASSWORD: { meaning: "The password for `REDIS_URL`, likewise.", unset: "in the address" },
  PUBLIC_URL: {
    meaning:
      "The address users open, such as `https://desk.example.com`, without a path: Watchfloor must be at the root of its host. Used in links and to recognise requests from its own pages. Passkeys need it, except on `localhost`.",
    unset: "from each request",
  },
  TRUST_PROXY: {
    meaning:
      "`true` (one proxy in front), the number of proxies, or their addresses. Only then are `X-Forwarded-*` headers trusted: client addresses, https, the host.",
    unset: "false",
  },
  LOG_LEVEL: {
    meaning:
      "`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`. Logs are JSON lines on standard output.",
  },
  WATCHFLOOR_OWNER_EMAIL: {
    meaning: "Creates the owner on the first start, without the set-up link.",
  },
  WATCHFLOOR_OWNER_PASSWORD: {
    meaning: "The owner's password, at least 12 characters and not easily guessed.",
  },
  WATCHFLOOR_SECRET_KEY: {
    meaning:
      "At least 32 random characters, the same on all servers: encrypts the secrets of authenticator apps and webhooks in the database. Without it they are stored readable. If it is lost, remove users' second factors and replace the webhooks' secrets.",
  },
  WATCHFLOOR_BACKUP_DIR: {
    meaning:
      "Folder for scheduled backups ([backup.md](backup.md)). With several servers, set it on all of them, to a folder that they share.",
  },
  WATCHFLOOR_LOG_ARCHIVE_DIR: {
    meaning:
      "Folder to which changes of records are written before they are deleted by age ([change-sets.md](change-sets.md#keep-old-changes)). With several servers, set it on all of them, to a folder that they share.",
  },
  WATCHFLOOR_METRICS_TOKEN: {
    meaning:
      "At least 16 characters: `/metrics` requires it as `Authorization: Bearer`. Without it, only processes on the same machine are answered, and none where `PUBLIC_URL` or `TRUST_PROXY` is set.",
  },
  WATCHFLOOR_WEBHOOK_ALLOW_PRIVATE: {
    meaning:
      "`true`: webhooks may also be sent to this machine and to private networks. Whoever has the right `webhooks` can then send requests to everything that the server reaches.",
  },
  WATCHFLOOR_TEMPLATE: {
    meaning: "`service-desk`, `orders-stock` or `empty`: what the first start installs.",
    unset: "service-desk",
  },
};

export const limitTexts: Readonly<Record<keyof Limits, string>> = {
  PAGE_DEFAULT_RECORDS: "Records in a page by default.",
  PAGE_MAX_RECORDS: "Most records in one page.",
  PAGE_MAX_BYTES:
    "Most bytes of values in one page (by default 32 MiB). A larger one is answered `too_large`.",
  MUTATION_MAX_OPS: "Most ops in one mutation.",
  CHANGE_SET_MAX_OPS: "Most ops in one change set.",
  CHANGE_SET_IMPORT_MAX_BYTES:
    "Most bytes that the rows of one file take in the database until they are applied (by default 1 GiB).",
  CHANGE_SET_ATOMIC_MAX_OPS: "Up to so many ops, a change set is applied whole or not at all.",
  CHANGE_SET_DRAFTS_PER_USER: "Most drafts of change sets of one user.",
  CHANGE_SET_DRAFTS_PER_USER_BYTES:
    "Bytes that the ops of one user's drafts take in the database (by default 256 MiB). Beyond, nothing is added until some are applied or deleted.",
  CHANGE_SET_BATCH_OPS: "Ops of a larger set that are committed together.",
  CHANGE_SET_PREVIEW_MAX_BYTES:
    "Approximate memory for the values of one preview. Later pages beyond that are evaluated again.",
  CHANGE_SET_RESUME_INTERVAL_MS:
    "How often a server looks for sets that another one has not finished applying.",
  CHANGE_SET_LEASE_MS:
    "A server that has not finished a batch of a set for so long is taken to be gone.",
  REQUEST_BODY_MAX_BYTES: "Largest body of a request (by default 1 MiB).",
  REQUEST_BODIES_PER_USER_BYTES:
    "Most bytes in the bodies of one user's requests that a server receives or processes at the same time (by default 16 MiB). Further requests are answered `rate_limited`.",
  ANSWER_STALL_TIMEOUT_MS:
    "An answer of which its reader takes nothing for this long is ended with its connection.",
  ANSWERS_PER_USER_BYTES:
    "Most bytes in the answers to one user's requests that they have not read yet (by default 32 MiB); on public routes those of one address. Further requests are answered `rate_limited`.",
  PUBLIC_BODY_MAX_BYTES:
    "Largest body of a request that needs no session, such as signing in, and largest message on a socket that is not authenticated (by default 16 KiB).",
  PUBLIC_BODY_TIMEOUT_MS: "The body of an unauthenticated request must arrive within this time.",
  REQUEST_BODY_TIMEOUT_MS: "The same for an authenticated request.",
  IMPORT_TIMEOUT_MS: "A file to import may take this long, once its user is authorised to write.",
  IMPORT_FILE_MAX_BYTES: "Largest file to import (by default 100 MiB).",
  IMPORT_ROW_MAX_BYTES: "Longest row of such a file (by default 2 MiB).",
  IMPORT_MAX_COLUMNS: "Most columns of such a file.",
  IMPORT_BATCH_MAX_BYTES:
    "Rows of a file that are read and checked together are at most this large (by default 1 MiB).",
  IMPORTS_PER_USER: "Imports that one user may run at the same time, per server.",
  IMPORTS_AT_ONCE: "Imports of all users at the same time, per server.",
  IMPORT_IDLE_TIMEOUT_MS: "An upload from which nothing arrives for this long is aborted.",
  TABLE_MAX_FIELDS: "Most fields in a table.",
  MODEL_MAX_TABLES: "Most tables in the model.",
  TABLE_MAX_SHARED_VIEWS: "Most shared views of a table.",
  PERSON_MAX_VIEWS: "Most personal views of one user.",
  VIEW_MAX_BYTES: "Largest view.",
  LOG_KEEP_MS: "How long the change log is retained for catch-up and undo (by default 90 d).",
  LOG_SWEEP_INTERVAL_MS: "How often older changes are deleted (by default 10 min).",
  BACKUP_INTERVAL_MS:
    "Time between two scheduled backups, if `WATCHFLOOR_BACKUP_DIR` is set (by default 24 h).",
  BACKUP_KEEP_FILES: "Scheduled backups that are retained; older ones are deleted.",
  REPLAY_MAX_CHANGES:
    "Changes sent to a client at once that returns or follows; beyond this it fetches its rows again.",
  FAN_OUT_TICK_MS: "Changes within this time travel together.",
  HEADS_INTERVAL_MS: "How often a client is sent the position of each feed.",
  PRESENCE_HEARTBEAT_MS: "How often a client refreshes its presence.",
  PRESENCE_TTL_MS: "A presence entry that is not refreshed expires after this long.",
  PRESENCE_UPDATES_PER_SECOND: "Presence updates that one connection may send.",
  SLOW_CLIENT_BUFFER_BYTES:
    "What may wait for a slow client before it has to resync (by default 4 MiB).",
  SOCKET_PING_MS: "Time between pings on an idle socket.",
  RIGHTS_CHECK_INTERVAL_MS:
    "How often the rights of open connections are compared with the database: the bound for a missed notification.",
  SESSION_IDLE_MS: "A session ends when unused for this long (by default 12 h).",
  SESSION_ABSOLUTE_MS: "A session ends at this age (by default 30 d).",
  INVITATION_TTL_MS: "How long an invitation link is valid (by default 7 d).",
  TOKENS_PER_USER: "API tokens that one user may have. Revoked ones do not count.",
  SECURITY_EVENT_KEEP_MS:
    "How long sign-ins, failures and changes of rights are retained (by default 400 d).",
  STOP_TIMEOUT_MS:
    "A server that was asked to stop ends within this time. Requests have 40 % of it, all work 60 %; the rest is for the embedded Postgres. What was cut off is in the log.",
  EMBEDDED_ORPHAN_GRACE_MS:
    "How long the embedded Postgres of a server that was killed waits for another server before it stops.",
  SETUP_LINK_TTL_MS:
    "How long the printed set-up link is valid (by default 24 h). A start prints a new one.",
  PASSWORD_RESET_TTL_MS: "How long a password reset link is valid (by default 24 h).",
  SIGN_IN_WINDOW_MS: "The time over which failed sign-ins are counted (by default 15 min).",
  SIGN_IN_FAILURES_PER_ACCOUNT:
    "Failed sign-ins per account in that time, after which unknown devices have to wait.",
  SIGN_IN_FAILURES_PER_ADDRESS:
    "Failed sign-ins per network address in that time, after which unknown devices have to wait.",
  SIGN_IN_FIRST_WAIT_MS:
    "The wait after so many failures. Each further failure doubles it, up to `WATCHFLOOR_SIGN_IN_WINDOW_MS`.",
  SIGN_IN_KNOWN_MAX_WAIT_MS:
    "The longest wait on a device from which the user has signed in before.",
  KNOWN_DEVICE_TTL_MS:
    "A device is forgotten when the user has not signed in from it for this long (by default 400 d).",
  TILE_REFRESHES_PER_SECOND: "Most refreshes of one tile.",
  DISPLAY_STALE_MS:
    "A display marks its values as lost when they were not confirmed for this long (a little earlier: at 8 s of 10). Set it well above the next one.",
  TILES_PROVEN_INTERVAL_MS:
    "How often a screen is sent the time up to which its values are proven.",
  TILES_VERIFY_INTERVAL_MS:
    "How often values that are updated from changes are compared with the database.",
  TILE_QUERY_TIMEOUT_MS: "A tile's database query may take this long.",
  EVALUATIONS_PER_USER_AND_BOARD:
    "Variants of one wallboard (time zones, drafts) that one user may have evaluated within a minute.",
  EVALUATIONS_PER_USER: "The same over all wallboards.",
  ACKNOWLEDGEMENTS_PER_TILE: "Acknowledged alerts stored per tile; the oldest are deleted.",
  DISPLAY_REPORT_MS: "How often a display reports its status.",
  DISPLAY_DARK_MS:
    "A display not heard for this long is offline; users who manage displays are notified.",
  DISPLAY_IDENTIFY_MS: "How long a display shows its name when asked to.",
  PAIRING_TTL_MS: "How long a pairing code is valid.",
  PAIRING_CODES_PER_ADDRESS: "Pairing codes per network address in the sign-in window.",
  PAIRING_CLAIMS_PER_PERSON: "Wrong pairing codes per user in that window.",
  EXACT_TOTAL_MAX_RECORDS:
    "Counts beyond this are estimates, or lower bounds for users with a row filter.",
  OFFSET_INDEXES_MAX_BYTES: "Approximate memory of a server for the offset indexes of long views.",
  OFFSET_INDEX_TIMEOUT_MS: "An offset index that takes longer to build is given up.",
  RELAY_POLL_MS: "How often the log is polled: the bound for writes by other programs.",
  RING_MAX_CHANGES: "Recent changes held in memory per table.",
  RING_MAX_BYTES: "Approximate memory for them per table. The first bound reached applies.",
  READS_AT_ONCE:
    "Reads (pages, records, history, summaries) that one server runs at the same time. They have their own database connections: sign-in, sessions and edits never wait for them.",
  READS_PER_USER: "Of these, reads of one user.",
  READS_WAITING_PER_USER:
    "Reads of one user that may be queued; further ones are answered `rate_limited`.",
  READ_TIMEOUT_MS: "A longer read is cancelled and answered `query_timeout`.",
  EXPORTS_AT_ONCE: "Exports of records that one server sends at the same time.",
  EXPORTS_PER_USER: "Of these, exports of one user.",
  EXPORT_TIMEOUT_MS: "How long reading the next records of an export may take.",
  EXPORT_FILE_MAX_BYTES:
    "Largest file of an export (by default 2 GiB). It is in the temporary folder until it is sent.",
  TIME_SHARE_PER_USER_PERCENT:
    "While other users are active (a call in the last two seconds): the part of the time that one user's backlog of reads and mutations, and their imports, may keep the server busy. More than eight at once are a backlog.",
  TIME_SHARE_BURST_MS: "How much of it may be used at once.",
  COMMIT_GROUP_TARGET_MS:
    "While other users are active, one user's part of a group commit is so small that a group takes about this long.",
  COMMIT_QUEUE_MAX_MUTATIONS: "Mutations that may wait for the next commit.",
  COMMIT_QUEUE_MAX_BYTES: "Their size.",
  COMMIT_QUEUE_USER_MAX_MUTATIONS: "Mutations of one user that may wait.",
  COMMIT_QUEUE_USER_MAX_BYTES: "Their size.",
  COMMIT_CALL_TIMEOUT_MS: "A mutation not answered by then is answered `unavailable`.",
  COMMIT_CONNECTION_TIMEOUT_MS:
    "A database connection of the commit path that is silent for this long is replaced.",
  COMMIT_LOCK_TIMEOUT_MS:
    "How long a group of mutations waits for a lock of another program before it is set aside.",
  COMMIT_PATIENCE_MS: "How long such a mutation waits for the lock.",
  COMMIT_CONTENDED_PARALLEL: "Such mutations that are tried at the same time.",
  REFUSALS_PER_USER_BYTES:
    "Bytes of such answers to one user, per server (by default 2 MiB). Beyond, a refused mutation that is sent again is evaluated anew.",
  REFUSAL_KEEP_MS: "How long the answer to a refused mutation is stored for a repeat.",
  WEBHOOKS_MAX: "Most webhooks.",
  WEBHOOK_PARALLEL:
    "Requests of one webhook that are in flight at the same time, each with another record.",
  WEBHOOK_MAX_OPEN:
    "Events of one webhook that wait for their delivery. Further changes stay in the log until some are done.",
  WEBHOOK_POLL_MS: "How often a server looks for deliveries that are due.",
  WEBHOOK_TIMEOUT_MS: "How long a receiver may take to answer.",
  WEBHOOK_RETRY_FIRST_MS: "The wait after the first failed attempt. Each further one triples it.",
  WEBHOOK_RETRY_MAX_MS: "The longest wait between two attempts.",
  WEBHOOK_MAX_ATTEMPTS:
    "Attempts before an event is given up; with these waits, after about a day.",
  WEBHOOK_SECRET_OVERLAP_MS: "How long the former secret also signs after it was replaced.",
  WEBHOOK_DELIVERY_KEEP_MS: "How long deliveries that are over are listed.",
  WEBHOOK_MAX_DELIVERIES: "How many of one webhook.",
  RATE_WINDOW_MS: "The window of the limits below that name it, over all servers.",
  REQUESTS_PER_USER: "Requests of one user in that window.",
  REQUESTS_PER_TOKEN:
    "Requests with one API token in that window. They do not count for its creator.",
  REQUESTS_PER_ADDRESS: "Requests from one network address in that window.",
  STRANGERS_CALLS_PER_ADDRESS:
    "Unauthenticated writing requests from one network address in that window.",
  HANDSHAKES_PER_USER: "Socket connections that one user may open in that window.",
  HANDSHAKES_PER_ADDRESS: "Socket connections that one network address may request in that window.",
  STRANGERS_CONNECTIONS:
    "Connections to one server on which nothing was authenticated yet. Beyond, one of the address that has the most is ended, an idle one first.",
  CONNECTIONS_PER_USER: "Connections of one user to one server. Beyond, an idle one is ended.",
  HANDSHAKE_TIMEOUT_MS: "An unauthenticated connection is closed after this time.",
  SOCKETS_PER_USER: "Sockets of one user, by sessions and API tokens together, to one server.",
  SOCKET_MESSAGES_PER_SECOND:
    "Messages that the sockets of one user may send, by sessions and API tokens together, averaged over ten seconds.",
};
