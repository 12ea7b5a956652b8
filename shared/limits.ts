/**
 * Limits that tests change, that operators set (server/config/settings.ts), or that a browser receives with its session;
 * each has its unit in its name. All others are constants beside their use.
 */
export const defaultLimits = {
  PAGE_DEFAULT_RECORDS: 100,
  PAGE_MAX_RECORDS: 1_000,
  /** Size of the values in one page, as JSON: all of it is in memory. */
  PAGE_MAX_BYTES: 33_554_432,
  MUTATION_MAX_OPS: 1_000,
  /** Ops of a change set; and those of one that is applied whole or not at all. */
  CHANGE_SET_MAX_OPS: 100_000,
  CHANGE_SET_ATOMIC_MAX_OPS: 1_000,
  /** Bytes that the rows of one file take in the database. They may be more ops than `CHANGE_SET_MAX_OPS`. */
  CHANGE_SET_IMPORT_MAX_BYTES: 1_073_741_824,
  /**
   * Bytes of the ops and rejected rows of a user's drafts: beyond, nothing is added until some are applied or deleted. Of imports that were
   * applied, as many bytes of rejected rows are stored, the newest.
   */
  CHANGE_SET_DRAFTS_PER_USER_BYTES: 268_435_456,
  /** Ops of a larger set that are committed together. */
  CHANGE_SET_BATCH_OPS: 200,
  /** Approximate memory for the values of one preview. Later pages beyond that are evaluated again. */
  CHANGE_SET_PREVIEW_MAX_BYTES: 16_777_216,
  /** How often a server looks for sets that another one has not finished. */
  CHANGE_SET_RESUME_INTERVAL_MS: 10_000,
  /** A server that has not finished a batch for so long is taken to be gone. */
  CHANGE_SET_LEASE_MS: 30_000,
  REQUEST_BODY_MAX_BYTES: 1_048_576,
  /** An answer of which its reader takes nothing for this long is ended: its memory and its place are needed by others. */
  ANSWER_STALL_TIMEOUT_MS: 60_000,
  /** Answers of one user that are not read yet, per server; on public routes those of one address. */
  ANSWERS_PER_USER_BYTES: 33_554_432,
  /** Of requests without a session, such as signing in; and messages on a socket that is not authenticated. */
  PUBLIC_BODY_MAX_BYTES: 16_384,
  /** Time for the body of a request to arrive: unauthenticated, and authenticated. */
  PUBLIC_BODY_TIMEOUT_MS: 10_000,
  REQUEST_BODY_TIMEOUT_MS: 60_000,
  IMPORT_FILE_MAX_BYTES: 104_857_600,
  /** A longer row is treated as an unclosed quotation mark. */
  IMPORT_ROW_MAX_BYTES: 2_097_152,
  IMPORT_MAX_COLUMNS: 1_000,
  /** Imports that run at the same time: of one user, and of all. */
  IMPORTS_PER_USER: 2,
  /** An upload from which nothing arrives for this long is aborted. */
  IMPORT_IDLE_TIMEOUT_MS: 30_000,
  TABLE_MAX_FIELDS: 200,
  MODEL_MAX_TABLES: 500,
  /** Shared views of a table; and views of one user, over all tables. */
  TABLE_MAX_SHARED_VIEWS: 200,
  PERSON_MAX_VIEWS: 500,
  LOG_KEEP_MS: 7_776_000_000,
  /** How often older changes are deleted from the log. */
  LOG_SWEEP_INTERVAL_MS: 600_000,
  /** Time between two scheduled backups, where a folder for them is set. */
  BACKUP_INTERVAL_MS: 86_400_000,
  /** Scheduled backups that are retained; older ones are deleted. */
  BACKUP_KEEP_FILES: 7,
  REPLAY_MAX_CHANGES: 5_000,
  FAN_OUT_TICK_MS: 25,
  HEADS_INTERVAL_MS: 5_000,
  PRESENCE_HEARTBEAT_MS: 8_000,
  PRESENCE_TTL_MS: 25_000,
  PRESENCE_UPDATES_PER_SECOND: 10,
  SLOW_CLIENT_BUFFER_BYTES: 4_194_304,
  /** A byte each way. Two that are missing, and a console is not called live any more (client/src/sync/connection/server-line.ts). */
  SOCKET_PING_MS: 2_500,
  /** How often the rights of open connections are compared with the database. */
  RIGHTS_CHECK_INTERVAL_MS: 30_000,
  SESSION_IDLE_MS: 43_200_000,
  SESSION_ABSOLUTE_MS: 2_592_000_000,
  /** The age at which a session ends that began with a company account: the account may have ended meanwhile. */
  PROVIDER_SESSION_MS: 86_400_000,
  /** How long after a proof of who they are a user may make what outlives their session. */
  RECENT_AUTHENTICATION_MS: 300_000,
  INVITATION_TTL_MS: 604_800_000,
  /** API tokens of one user that are not revoked. */
  TOKENS_PER_USER: 100,
  /** How long security events are retained. */
  SECURITY_EVENT_KEEP_MS: 34_560_000_000,
  /** A server that was asked to stop ends within this time, whatever it still does. */
  STOP_TIMEOUT_MS: 25_000,
  PASSWORD_RESET_TTL_MS: 86_400_000,
  SIGN_IN_FAILURES_PER_ACCOUNT: 10,
  SIGN_IN_FAILURES_PER_ADDRESS: 100,
  /** The wait after that many failures; each further one doubles it, up to the window. */
  SIGN_IN_FIRST_WAIT_MS: 10_000,
  TILE_REFRESHES_PER_SECOND: 4,
  /** How often a screen is sent the time up to which its values are proven. */
  TILES_PROVEN_INTERVAL_MS: 2_500,
  /** How often values that are updated from changes are compared with the database. */
  TILES_VERIFY_INTERVAL_MS: 60_000,
  TILE_QUERY_TIMEOUT_MS: 5_000,
  /** Variants of one wallboard (zones, drafts) that one user may have evaluated; and over all wallboards. */
  EVALUATIONS_PER_USER_AND_BOARD: 8,
  EVALUATIONS_PER_USER: 60,
  /** Acknowledged alerts stored per tile; the oldest are deleted. */
  ACKNOWLEDGEMENTS_PER_TILE: 500,
  /** A display that was not heard for this long is offline, and users who manage displays are notified. */
  DISPLAY_DARK_MS: 30_000,
  /** How long a display shows its name when asked to. */
  DISPLAY_IDENTIFY_MS: 15_000,
  PAIRING_CODES_PER_ADDRESS: 60,
  /** Views of more records are counted for so long; beyond, their totals are bounds (`totalExact: false`). */
  EXACT_TOTAL_MAX_RECORDS: 10_000,
  COUNT_TIMEOUT_MS: 100,
  /** How often the relay polls the log without a hint: the bound for writes by other programs. So does a server that is cut off from it. */
  RELAY_POLL_MS: 250,
  /** Recent changes that each server holds per feed, so that a mass reconnect costs the database nothing. */
  RING_MAX_CHANGES: 10_000,
  /** Approximate memory for them, per feed; the first bound reached applies. */
  RING_MAX_BYTES: 33_554_432,
  /**
   * Reads (pages, records, history, summaries) that a server runs at the same time, on their own connections.
   */
  READS_AT_ONCE: 8,
  /** Of these, reads of one user; and how many of theirs may be queued. */
  READS_PER_USER: 3,
  READS_WAITING_PER_USER: 1_000,
  /** A longer read is cancelled. */
  READ_TIMEOUT_MS: 10_000,
  EXPORTS_PER_USER: 2,
  EXPORT_FILE_MAX_BYTES: 2_147_483_648,
  /** Duration of a group commit that bounds the part of one user while other users are active. */
  COMMIT_GROUP_TARGET_MS: 10,
  /** Mutations that wait for the group commit; further ones are refused. */
  COMMIT_QUEUE_MAX_MUTATIONS: 5_000,
  /** The same for the mutations of one user. */
  COMMIT_QUEUE_USER_MAX_MUTATIONS: 1_000,
  /** A mutation without an answer by then is answered `unavailable`; the same id may be sent again. */
  COMMIT_CALL_TIMEOUT_MS: 11_000,
  /** A database connection of the commit path that does not answer for this long is abandoned. */
  COMMIT_CONNECTION_TIMEOUT_MS: 10_000,
  /** How long a group of mutations waits for the lock of another program before it is set aside. */
  COMMIT_LOCK_TIMEOUT_MS: 50,
  /** How long such a mutation waits for the lock. */
  COMMIT_PATIENCE_MS: 4_000,
  REFUSALS_PER_USER_BYTES: 2_097_152,
  WEBHOOKS_MAX: 100,
  /** Events of one webhook that wait for their delivery; further changes stay in the log until some are done. */
  WEBHOOK_MAX_OPEN: 1_000,
  /** How long a receiver may take to answer. */
  WEBHOOK_TIMEOUT_MS: 10_000,
  /** The wait after the first failed attempt; each further one triples it, up to the second. */
  WEBHOOK_RETRY_FIRST_MS: 5_000,
  WEBHOOK_RETRY_MAX_MS: 14_400_000,
  /** Attempts before an event is given up: with these waits, after about a day. */
  WEBHOOK_MAX_ATTEMPTS: 14,
  /** How long a mail server may take to accept a mail. */
  MAIL_TIMEOUT_MS: 30_000,
  /** A user gets at most one mail of notifications in this time. */
  MAIL_INTERVAL_MS: 300_000,
  /** How often watched views are evaluated that depend on the time. */
  WATCH_CLOCK_MS: 60_000,
  /** The window in which requests and handshakes are counted. */
  RATE_WINDOW_MS: 10_000,
  REQUESTS_PER_USER: 3_000,
  REQUESTS_PER_ADDRESS: 10_000,
  /** Of one API token, which do not count for its creator. */
  REQUESTS_PER_TOKEN: 1_500,
  HANDSHAKES_PER_USER: 3_000,
  /** Counted before authentication: many users behind one address return at once after a restart. */
  HANDSHAKES_PER_ADDRESS: 5_000,
  /** Connections that carried nothing authenticated yet, per server; beyond, one of the address with the most is ended. */
  STRANGERS_CONNECTIONS: 1_500,
  /** Connections of one user, per server; beyond, an idle one is ended. */
  CONNECTIONS_PER_USER: 500,
  /** An unauthenticated connection is closed after this time. */
  HANDSHAKE_TIMEOUT_MS: 10_000,
  /** Sockets of one user, per server: more than a browser opens to one site, with some programs. */
  SOCKETS_PER_USER: 300,
  /** Messages the sockets of one user may send per second, averaged over ten seconds. */
  SOCKET_MESSAGES_PER_SECOND: 400,
} as const;

/** The limits that a browser receives with its session. */
export const clientLimitNames = [
  "PAGE_MAX_RECORDS",
  "MUTATION_MAX_OPS",
  "REQUEST_BODY_MAX_BYTES",
  "PRESENCE_HEARTBEAT_MS",
  "PRESENCE_UPDATES_PER_SECOND",
] as const satisfies (keyof typeof defaultLimits)[];

export type ClientLimits = Pick<Limits, (typeof clientLimitNames)[number]>;

/** The names of these limits. */
export function clientLimits(limits: Limits): ClientLimits {
  return Object.fromEntries(clientLimitNames.map((name) => [name, limits[name]])) as ClientLimits;
}

export type Limits = { readonly [K in keyof typeof defaultLimits]: number };
