import type { Limits } from "../../shared/limits.ts";
import { FairQueue } from "../load/budget.ts";
import { ChangeNotifier } from "../store/change-notifier.ts";
import type { Db } from "../store/database.ts";
import { deleteOldVisits } from "../store/users/identity-providers.ts";
import { deleteOldKnownDevices } from "../store/users/known-devices.ts";
import { deleteOldResets } from "../store/users/links.ts";
import { deleteOldChallenges } from "../store/users/passkeys.ts";
import { deleteOldSecurityEvents } from "../store/users/security-events.ts";
import { deleteEndedSessions } from "../store/users/sessions.ts";
import { deleteOldAttempts } from "../store/users/sign-in-attempts.ts";
import { createAuthenticate } from "./authenticate.ts";
import { KNOWN_DEVICE_TTL_MS } from "./devices.ts";
import { createOneTimeLinks } from "./one-time-links.ts";
import { CHALLENGE_TTL_MS } from "./passkeys.ts";
import { ProviderClient } from "./provider-client.ts";
import { VISIT_TTL_MS } from "./provider-sign-in.ts";
import { createSecretBox } from "./secret-box.ts";
import { type EventInput, recordEvent } from "./security-log.ts";
import type { Template } from "./setup.ts";
import { CODES_WINDOW_MS } from "./sign-in-throttle.ts";

/** Of one network. Few, because passwords are checked two at a time anyway; a whole office may wait. */
const SIGN_INS_AT_ONCE = 4;
const SIGN_INS_WAITING = 1_000;
const TOUCH_MAX_MS = 60_000;
const TOUCHES_PER_IDLE_TIME = 4;

/** What the functions of this folder work on: their first parameter, or a part of it. HTTP and socket share it. */
export type Auth = ReturnType<typeof createAuth>;

/** Built once; it has no timer and no connection of its own. */
export function createAuth({
  db,
  limits,
  secretKey,
  mailsLinks = false,
  publicUrl,
  applyTemplate,
  notifier = new ChangeNotifier(),
}: {
  db: Db;
  limits: Limits;
  /** Encrypts the secrets of authenticators and providers; without it they are stored in plain text. */
  secretKey?: string | undefined;
  /** Whether one-time links are mailed to their users. */
  mailsLinks?: boolean;
  /** The address that users open; without it nobody signs in by a provider. */
  publicUrl?: string | undefined;
  /** Creates the tables of a template and fills them; may be called again after a failure. */
  applyTemplate: (template: Template, zone: string | undefined) => Promise<void>;
  notifier?: ChangeNotifier;
}) {
  const idleMs = limits.SESSION_IDLE_MS;
  const touchMs = Math.min(TOUCH_MAX_MS, idleMs / TOUCHES_PER_IDLE_TIME);
  const { SESSION_ABSOLUTE_MS: absoluteMs, PROVIDER_SESSION_MS: providerMs } = limits;
  const sessions = { idleMs, absoluteMs, providerMs, touchMs };
  const box = createSecretBox(secretKey);
  return {
    db,
    limits,
    publicUrl,
    applyTemplate,
    sessions,
    providers: new ProviderClient(),
    box,
    /** Encrypts the tokens of links until they are mailed; null: none is. */
    mailBox: mailsLinks ? box : null,
    /** Sign-ins from one network that are checked at the same time: each counts as a failure until its password was right. */
    signIns: new FairQueue({
      parallel: Number.POSITIVE_INFINITY,
      perUser: SIGN_INS_AT_ONCE,
      waitingPerUser: SIGN_INS_WAITING,
    }),
    /**
     * Notifies of ended sessions and changed users, roles and tokens. Whoever holds an Identity calls `authenticate` again then:
     * null means signed out, another role means other scopes.
     */
    notifier,
    /**
     * The identity of a token, or null if it is invalid. Counts as activity by default, which prevents the idle
     * end of the session. Cheap (answers are cached for a second), so call it again instead of storing the
     * result. Throws when the store is unavailable.
     */
    authenticate: createAuthenticate({ db, limits: sessions, notifier }),
    recordEvent: (event: EventInput) => recordEvent(db, event),
    /** One-time links that sign a user in by a click; of this process only. */
    links: createOneTimeLinks<{ user: string; to: string }>(),
  };
}

/** Deletes expired data; run it from time to time, on any server. */
export async function sweepAuth({ db, limits, sessions }: Auth): Promise<void> {
  await deleteEndedSessions(db, sessions);
  await deleteOldResets(db, limits.PASSWORD_RESET_TTL_MS);
  await deleteOldSecurityEvents(db, limits.SECURITY_EVENT_KEEP_MS);
  await deleteOldChallenges(db, CHALLENGE_TTL_MS);
  await deleteOldKnownDevices(db, KNOWN_DEVICE_TTL_MS);
  await deleteOldAttempts(db, CODES_WINDOW_MS);
  await deleteOldVisits(db, VISIT_TTL_MS);
}
