import { bindAll } from "../../shared/bind-all.ts";
import type { Json } from "../../shared/filter/filter.ts";
import type { Limits } from "../../shared/limits.ts";
import type { Db } from "../store/database.ts";
import { deleteOldKnownDevices } from "../store/users/known-devices.ts";
import { deleteOldChallenges } from "../store/users/passkeys.ts";
import { deleteOldResets } from "../store/users/password-resets.ts";
import { deleteOldSecurityEvents } from "../store/users/security-events.ts";
import { deleteEndedSessions, deleteSession, type SessionLimits } from "../store/users/sessions.ts";
import { deleteOldAttempts } from "../store/users/sign-in-attempts.ts";
import { addToken, allTokens, oneToken, removeToken, renameToken } from "./api-tokens.ts";
import { createAuthenticate, identify } from "./authenticate.ts";
import { rememberDevice } from "./devices.ts";
import { createFactors } from "./factors.ts";
import type { Identity } from "./identity.ts";
import { accept, readInvitation, reissueInvitation } from "./invitations.ts";
import { createOneTimeLinks } from "./one-time-links.ts";
import { CHALLENGE_TTL_MS, passkeyToUse } from "./passkeys.ts";
import { changePassword, issueReset, readReset, resetPassword } from "./passwords.ts";
import { createRevocations, type Revocations } from "./revocations.ts";
import { addRole, allRoles, changeRole, oneRole, removeRole } from "./roles.ts";
import { createSecretBox, type SecretBox } from "./secret-box.ts";
import { readSecurityEvents, recordEvent } from "./security-log.ts";
import {
  endMyOtherSessions,
  endMySession,
  endSessionOf,
  endSessionsOf,
  mySessions,
  sessionsOf,
} from "./sessions.ts";
import { ensureOwner, issueSetupToken, setUp, setupNeeded, type Template } from "./setup.ts";
import { type Caller, openSession, type SignInMethod, signIn, signInByPasskey } from "./sign-in.ts";
import { addUser, allUsers, changeUser, oneUser, removeUser } from "./users.ts";

const TOUCH_MAX_MS = 60_000;
const TOUCHES_PER_IDLE_TIME = 4;

export interface AuthDeps {
  db: Db;
  limits: Limits;
  /** Encrypts the secrets of authenticators; without it they are stored in plain text. */
  secretKey?: string | undefined;
  /** Creates the tables of a template and fills them; may be called again after a failure. */
  applyTemplate: (template: Template, zone: string) => Promise<void>;
}

/** Users, roles, sessions and sign-in. Built once by start-server.ts; HTTP and socket share it. */
export type Auth = ReturnType<typeof createAuth>;

/** Composes the service; it has no timer and no connection of its own. */
export function createAuth({ db, limits, applyTemplate, secretKey }: AuthDeps) {
  const revocations = createRevocations();
  const idleMs = limits.SESSION_IDLE_MS;
  const touchMs = Math.min(TOUCH_MAX_MS, idleMs / TOUCHES_PER_IDLE_TIME);
  const sessions = { idleMs, absoluteMs: limits.SESSION_ABSOLUTE_MS, touchMs };
  const box = createSecretBox(secretKey);
  const deps = { db, limits, applyTemplate, revocations, box };
  return {
    ...servicesOf({ ...deps, sessions }),
    /**
     * The identity of a token, or null if it is invalid. Counts as activity by default, which prevents the idle
     * end of the session. Cheap (answers are cached for a second), so call it again instead of storing the
     * result. Throws when the store is away.
     */
    authenticate: createAuthenticate({ db, limits: sessions, revocations }),
    ...bindAll(db, { identify, securityEvents: readSecurityEvents }),
    /**
     * Notifies that sessions ended or users changed. Whoever holds an Identity calls `authenticate` again then:
     * null means signed out, another role means other scopes.
     */
    onRevoked: revocations.listen,
    /** Receives the notifications of the database (store/users/listen-for-access-changes.ts). */
    receiveRevocation: revocations.announce,
    ...bindAll(deps, { signIn, rememberDevice, signInByPasskey, passkeyToUse }),
    /** A session for a user who used a one-time link: an invitation, set-up, or the demo's printed ones. */
    openSession: (user: string, caller: Caller, method: SignInMethod) =>
      db.transaction().execute((tx) => openSession({ db: tx }, user, caller, method)),
    /** Recorded once the version is published. */
    recordModelChange: (user: string, version: number) =>
      recordEvent(db, { kind: "model_changed", actor: user, detail: { version } }),
    /** Recorded before a file is sent. */
    recordExport: (
      user: string,
      kind: "log_exported" | "records_exported",
      detail: Record<string, Json>,
    ) => recordEvent(db, { kind, actor: user, detail }),
    /** One-time links that sign a user in by a click; of this process only. */
    links: createOneTimeLinks<{ user: string; to: string }>(),
    /** Ends the session of an identity, if it has one. */
    async signOut({ session, subject }: Identity) {
      if (!session) return;
      await db.transaction().execute(async (tx) => {
        if (!(await deleteSession(tx, session))) return;
        await recordEvent(tx, { kind: "signed_out", actor: subject.id });
      });
      revocations.announce({ kind: "session", session });
    },
    /** Deletes expired data; run it from time to time, on any server. */
    async sweep() {
      await deleteEndedSessions(db, sessions);
      await deleteOldResets(db, limits.PASSWORD_RESET_TTL_MS);
      await deleteOldSecurityEvents(db, limits.SECURITY_EVENT_KEEP_MS);
      await deleteOldChallenges(db, CHALLENGE_TTL_MS);
      await deleteOldKnownDevices(db, limits.KNOWN_DEVICE_TTL_MS);
      await deleteOldAttempts(db, limits.SIGN_IN_WINDOW_MS);
    },
  };
}

/** The operations of each subject, with the caller; the files of this folder authorise them. */
function servicesOf(
  deps: AuthDeps & { revocations: Revocations; box: SecretBox; sessions: SessionLimits },
) {
  return {
    factors: createFactors(deps),
    setup: bindAll(deps, {
      needed: setupNeeded,
      issueToken: issueSetupToken,
      run: setUp,
      ensureOwner,
    }),
    invitations: bindAll(deps, { read: readInvitation, accept, reissue: reissueInvitation }),
    users: bindAll(deps, {
      list: allUsers,
      one: oneUser,
      add: addUser,
      change: changeUser,
      remove: removeUser,
    }),
    sessions: bindAll(deps, {
      mine: mySessions,
      endMine: endMySession,
      endMyOthers: endMyOtherSessions,
      of: sessionsOf,
      endOf: endSessionOf,
      endAllOf: endSessionsOf,
    }),
    passwords: bindAll(deps, {
      change: changePassword,
      issueReset,
      readReset,
      reset: resetPassword,
    }),
    roles: bindAll(deps, {
      list: allRoles,
      one: oneRole,
      add: addRole,
      change: changeRole,
      remove: removeRole,
    }),
    tokens: bindAll(deps, {
      list: allTokens,
      one: oneToken,
      add: addToken,
      rename: renameToken,
      revoke: removeToken,
    }),
  };
}
