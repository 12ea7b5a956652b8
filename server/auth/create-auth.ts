import type { Json } from "../../shared/filter/filter.ts";
import type { Limits } from "../../shared/limits.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import type {
  ApiTokenInfo,
  CreateApiTokenCall,
  CreatedApiToken,
} from "../../shared/protocol/api-tokens.ts";
import type { PasskeyOptions, PasskeyResponse } from "../../shared/protocol/factors.ts";
import type { ChangePasswordCall, PasswordResetInfo } from "../../shared/protocol/password.ts";
import type { CreateRoleCall, PatchRoleCall, RoleInfo } from "../../shared/protocol/roles.ts";
import type { SecurityEvent, SecurityEventsQuery } from "../../shared/protocol/security-events.ts";
import type {
  AcceptInvitationCall,
  CreateUserCall,
  SetupCall,
  SignInCall,
} from "../../shared/protocol/session.ts";
import type { SessionEntry } from "../../shared/protocol/sessions.ts";
import type { InvitationInfo, PatchUserCall, UserInfo } from "../../shared/protocol/users.ts";
import type { Db } from "../store/database.ts";
import { deleteOldKnownDevices } from "../store/users/known-devices.ts";
import { deleteOldChallenges } from "../store/users/passkeys.ts";
import { deleteOldResets } from "../store/users/password-resets.ts";
import { deleteOldSecurityEvents } from "../store/users/security-events.ts";
import { deleteEndedSessions, deleteSession, type SessionLimits } from "../store/users/sessions.ts";
import { deleteOldAttempts } from "../store/users/sign-in-attempts.ts";
import { addToken, allTokens, oneToken, removeToken, renameToken } from "./api-tokens.ts";
import { type Authenticate, createAuthenticate, identify } from "./authenticate.ts";
import { rememberDevice } from "./devices.ts";
import { createFactors, type FactorsService } from "./factors.ts";
import type { Identity } from "./identity.ts";
import { accept, readInvitation, reissueInvitation } from "./invitations.ts";
import { createOneTimeLinks, type OneTimeLinks } from "./one-time-links.ts";
import { CHALLENGE_TTL_MS, passkeyToUse, type Site } from "./passkeys.ts";
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
export interface Auth {
  /**
   * The identity of a token, or null if it is invalid. Counts as activity by default, which prevents the idle
   * end of the session. Cheap (answers are cached for a second), so call it again instead of storing the
   * result. Throws when the store is away.
   */
  authenticate: Authenticate;
  /** An active user or a valid API token, read from the database; null if there is none. Opens no session. */
  identify: (author: { kind: string; id: string }) => Promise<Identity | null>;
  /**
   * Notifies that sessions ended or users changed. Whoever holds an Identity calls `authenticate` again then:
   * null means signed out, another role means other scopes.
   */
  onRevoked: Revocations["listen"];
  /**
   * Receives the notifications of the database (store/users/listen-for-access-changes.ts); start-server.ts
   * connects the two.
   */
  receiveRevocation: Revocations["announce"];
  /** By a password, and the code of a second factor if there is one. Returns the session's token. */
  signIn: (call: SignInCall, caller: Caller, device?: string | null) => Promise<string>;
  /** Remembers the browser of a user who has just signed in; returns the token for its cookie. */
  rememberDevice: (user: string, device: string | null) => Promise<string>;
  /** Security events, for users with the right `activity`. */
  securityEvents: (
    me: Subject,
    query: SecurityEventsQuery,
  ) => Promise<{ items: SecurityEvent[]; total: number }>;
  /** Recorded once the version is published. */
  recordModelChange: (user: string, version: number) => Promise<void>;
  /** Recorded before a file is sent. */
  recordExport: (
    user: string,
    kind: "log_exported" | "records_exported",
    detail: Record<string, Json>,
  ) => Promise<void>;
  /** By a passkey alone. `passkeyToUse` returns the options that the browser needs. */
  signInByPasskey: (response: PasskeyResponse, site: Site, caller: Caller) => Promise<string>;
  passkeyToUse: (site: Site) => Promise<PasskeyOptions>;
  factors: FactorsService;
  /** A session for a user who used a one-time link: an invitation, set-up, or the demo's printed ones. */
  openSession: (user: string, caller: Caller, method: SignInMethod) => Promise<string>;
  /** One-time links that sign a user in by a click; of this process only. */
  links: OneTimeLinks<{ user: string; to: string }>;
  /** Ends the session of an identity, if it has one. */
  signOut: (identity: Identity) => Promise<void>;
  setup: {
    needed: () => Promise<boolean>;
    /** A one-time token to print as a link at the start; null if there is a user already. */
    issueToken: () => Promise<string | null>;
    /** Creates the owner by the printed token and returns the owner's id. */
    run: (call: SetupCall) => Promise<string>;
    /** Creates the owner without a link; null if there is a user already. */
    ensureOwner: (owner: {
      email: string;
      password: string;
      name?: string;
      template: Template;
    }) => Promise<string | null>;
  };
  invitations: {
    read: (token: string) => Promise<InvitationInfo>;
    accept: (token: string, call: AcceptInvitationCall) => Promise<string>;
    /** Another one-time token to replace a lost one. */
    reissue: (me: Subject, user: string) => Promise<{ token: string; expires: string }>;
  };
  users: {
    list: (me: Subject) => Promise<UserInfo[]>;
    one: (me: Subject, id: string) => Promise<UserInfo>;
    add: (
      me: Subject,
      call: CreateUserCall,
    ) => Promise<{ user: UserInfo; invitation: string | null }>;
    change: (me: Subject, id: string, call: PatchUserCall) => Promise<UserInfo>;
    remove: (me: Subject, id: string) => Promise<void>;
  };
  sessions: {
    mine: (me: Identity) => Promise<SessionEntry[]>;
    endMine: (me: Identity, id: string) => Promise<void>;
    /** All of the user's sessions except the current one; returns how many. */
    endMyOthers: (me: Identity) => Promise<number>;
    of: (me: Identity, user: string) => Promise<SessionEntry[]>;
    endOf: (me: Subject, user: string, id: string) => Promise<void>;
    endAllOf: (me: Subject, user: string) => Promise<number>;
  };
  passwords: {
    change: (me: Identity, call: ChangePasswordCall) => Promise<void>;
    /** A one-time token by which another user may choose a new password. */
    issueReset: (me: Subject, user: string) => Promise<{ token: string; expires: string }>;
    readReset: (token: string) => Promise<PasswordResetInfo>;
    reset: (token: string, password: string) => Promise<string>;
  };
  roles: {
    list: (me: Subject) => Promise<RoleInfo[]>;
    one: (me: Subject, id: string) => Promise<RoleInfo>;
    add: (me: Subject, call: CreateRoleCall) => Promise<RoleInfo>;
    change: (me: Subject, id: string, call: PatchRoleCall) => Promise<RoleInfo>;
    remove: (me: Subject, id: string) => Promise<void>;
  };
  tokens: {
    list: (me: Subject) => Promise<ApiTokenInfo[]>;
    one: (me: Subject, id: string) => Promise<ApiTokenInfo>;
    add: (me: Subject, call: CreateApiTokenCall) => Promise<CreatedApiToken>;
    rename: (me: Subject, id: string, name: string) => Promise<ApiTokenInfo>;
    revoke: (me: Subject, id: string) => Promise<void>;
  };
  /** Deletes expired data; run it from time to time, on any server. */
  sweep: () => Promise<void>;
}

/** Composes the service; it has no timer and no connection of its own. */
export function createAuth({ db, limits, applyTemplate, secretKey }: AuthDeps): Auth {
  const revocations = createRevocations();
  const idleMs = limits.SESSION_IDLE_MS;
  const touchMs = Math.min(TOUCH_MAX_MS, idleMs / TOUCHES_PER_IDLE_TIME);
  const sessions = { idleMs, absoluteMs: limits.SESSION_ABSOLUTE_MS, touchMs };
  const box = createSecretBox(secretKey);
  const deps = { db, limits, applyTemplate, revocations, box };
  return {
    ...servicesOf({ ...deps, sessions }),
    authenticate: createAuthenticate({ db, limits: sessions, revocations }),
    identify: (author) => identify(db, author),
    onRevoked: revocations.listen,
    receiveRevocation: revocations.announce,
    signIn: (call, caller, device) => signIn(deps, call, caller, device),
    rememberDevice: (user, device) => rememberDevice(deps, user, device),
    signInByPasskey: (response, site, caller) => signInByPasskey(deps, response, site, caller),
    passkeyToUse: (site) => passkeyToUse(deps, site),
    openSession: (user, caller, method) =>
      db.transaction().execute((tx) => openSession({ db: tx }, user, caller, method)),
    securityEvents: (me, query) => readSecurityEvents(db, me, query),
    recordModelChange: (user, version) =>
      recordEvent(db, { kind: "model_changed", actor: user, detail: { version } }),
    recordExport: (user, kind, detail) => recordEvent(db, { kind, actor: user, detail }),
    links: createOneTimeLinks(),
    async signOut({ session, subject }) {
      if (!session) return;
      await db.transaction().execute(async (tx) => {
        if (!(await deleteSession(tx, session))) return;
        await recordEvent(tx, { kind: "signed_out", actor: subject.id });
      });
      revocations.announce({ kind: "session", session });
    },
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

type ServiceDeps = AuthDeps & {
  revocations: Revocations;
  box: SecretBox;
  sessions: SessionLimits;
};

/** The operations of each subject, with the caller; the files of this folder authorise them. */
function servicesOf(
  deps: ServiceDeps,
): Pick<
  Auth,
  "setup" | "invitations" | "users" | "sessions" | "passwords" | "roles" | "factors" | "tokens"
> {
  return {
    factors: createFactors(deps),
    setup: {
      needed: () => setupNeeded(deps),
      issueToken: () => issueSetupToken(deps),
      run: (call) => setUp(deps, call),
      ensureOwner: (owner) => ensureOwner(deps, owner),
    },
    invitations: {
      read: (token) => readInvitation(deps, token),
      accept: (token, call) => accept(deps, token, call),
      reissue: (me, user) => reissueInvitation(deps, me, user),
    },
    users: {
      list: (me) => allUsers(deps, me),
      one: (me, id) => oneUser(deps, me, id),
      add: (me, call) => addUser(deps, me, call),
      change: (me, id, call) => changeUser(deps, me, id, call),
      remove: (me, id) => removeUser(deps, me, id),
    },
    sessions: {
      mine: (me) => mySessions(deps, me),
      endMine: (me, id) => endMySession(deps, me, id),
      endMyOthers: (me) => endMyOtherSessions(deps, me),
      of: (me, user) => sessionsOf(deps, me, user),
      endOf: (me, user, id) => endSessionOf(deps, me, user, id),
      endAllOf: (me, user) => endSessionsOf(deps, me, user),
    },
    passwords: {
      change: (me, call) => changePassword(deps, me, call),
      issueReset: (me, user) => issueReset(deps, me, user),
      readReset: (token) => readReset(deps, token),
      reset: (token, password) => resetPassword(deps, token, password),
    },
    roles: {
      list: (me) => allRoles(deps, me),
      one: (me, id) => oneRole(deps, me, id),
      add: (me, call) => addRole(deps, me, call),
      change: (me, id, call) => changeRole(deps, me, id, call),
      remove: (me, id) => removeRole(deps, me, id),
    },
    tokens: {
      list: (me) => allTokens(deps, me),
      one: (me, id) => oneToken(deps, me, id),
      add: (me, call) => addToken(deps, me, call),
      rename: (me, id, name) => renameToken(deps, me, id, name),
      revoke: (me, id) => removeToken(deps, me, id),
    },
  };
}
