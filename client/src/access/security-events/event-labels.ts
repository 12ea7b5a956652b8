import type { SecurityEvent } from "../../../../shared/protocol/security-events.ts";
import { securityEventMessages as messages } from "../../messages/en/security-events.ts";
import { formatList } from "../../ui/numbers.ts";

/** How urgent an event is: a failure, a change to access, or routine. */
type EventTone = "bad" | "notable" | "usual";

/** What happened, as one sentence; names are those at the time of the event. */
export function eventText(event: SecurityEvent): string {
  const user = actorText(event);
  const subject = event.subject ? (event.subject.name ?? messages.deletedSubject()) : null;
  const both = { user, subject: subject ?? messages.themselves() };
  const { detail } = event;
  switch (event.kind) {
    case "sign_in":
      return (signInTexts[String(detail.method)] ?? messages.signIn)({ user });
    case "signed_out":
      return messages.signedOut({ user });
    case "sign_in_failed":
      return typeof detail.provider === "string"
        ? messages.failedProvider({ provider: detail.provider, reason: String(detail.reason) })
        : signInFailedText(subject, String(detail.reason));
    case "sign_in_throttled":
      return subject === null ? messages.throttled() : messages.throttledAs({ subject });
    case "proof_failed":
      return messages.proofFailed({ user });
    case "password_changed":
      return messages.passwordChanged({ user });
    case "password_reset_made":
      return messages.resetLinkCreated(both);
    case "password_reset":
      return messages.passwordReset({ user });
    case "factor_added":
      return isPasskey(detail)
        ? messages.passkeyAdded({ user, passkey: String(detail.name) })
        : messages.appAdded({ user });
    case "factor_removed":
      return isPasskey(detail)
        ? messages.passkeyRemoved({ user, passkey: String(detail.name) })
        : messages.appRemoved({ user });
    case "factors_taken_away":
      return messages.factorsRemoved(both);
    case "recovery_codes_renewed":
      return messages.codesCreated({ user });
    case "provider_added":
      return messages.providerAdded(both);
    case "provider_changed":
      return messages.providerChanged(both);
    case "provider_removed":
      return messages.providerRemoved(both);
    case "sign_in_policy_changed":
      return messages.signInPolicyChanged({ user });
    case "account_linked":
      return messages.accountLinked({ user, provider: String(detail.provider) });
    case "account_unlinked":
      return messages.accountUnlinked({ user, provider: String(detail.provider) });
    case "break_glass_used":
      return messages.breakGlassUsed({ user });
    case "session_ended":
      return subject === null ? messages.sessionEnded({ user }) : messages.sessionOfEnded(both);
    case "sessions_ended":
      return subject === null ? messages.othersEnded({ user }) : messages.signedOutByOther(both);
    case "user_added": {
      const role = String(detail.roleName ?? detail.role);
      return detail.invited
        ? messages.userInvited({ ...both, role })
        : messages.userAdded({ ...both, role });
    }
    case "user_changed":
      return userChangedText(both, detail);
    case "user_removed":
      return messages.removed(both);
    case "invitation_made":
      return messages.invitationCreated(both);
    case "invitation_accepted":
      return messages.invitationAccepted({ user });
    case "role_added":
      return messages.roleAdded(both);
    case "role_changed": {
      const parts = changedParts(detail);
      return parts ? messages.roleChangedParts({ ...both, parts }) : messages.roleChanged(both);
    }
    case "role_removed":
      return messages.roleRemoved(both);
    case "token_created":
      return messages.tokenCreated(both);
    case "token_renamed":
      return messages.tokenRenamed({ ...both, before: String(detail.before) });
    case "token_revoked":
      return messages.tokenRevoked(both);
    case "token_used":
      return messages.tokenUsed(both);
    case "display_paired":
      return messages.displayPaired(both);
    case "display_taken_over":
      return messages.displayTakenOver(both);
    case "display_revoked":
      return messages.displayRevoked(both);
    case "display_removed":
      return messages.displayRemoved(both);
    case "webhook_added":
      return messages.webhookAdded({ ...both, origin: String(detail.origin) });
    case "webhook_changed":
      return messages.webhookChanged({ ...both, origin: String(detail.origin) });
    case "webhook_secret_replaced":
      return messages.webhookSecretReplaced(both);
    case "webhook_removed":
      return messages.webhookRemoved(both);
    case "webhook_missed":
      return messages.webhookMissed({ ...both, table: tableName(detail) });
    case "model_changed":
      return messages.modelPublished({ user, version: String(detail.version) });
    case "log_exported":
      return messages.logExported({ user });
    case "records_exported":
      return messages.recordsExported({ user, table: tableName(detail) });
    case "values_erased":
      return valuesErasedText(detail);
    case "user_erased":
      return messages.userErased();
    case "capture_bypassed":
      return messages.captureBypassed({ table: tableName(detail) });
    case "capture_restored":
      return messages.captureRestored({ table: tableName(detail) });
  }
}

/** Who did it; by an API token, its creator and the name of the token. */
function actorText({ actor, detail: { token } }: SecurityEvent): string {
  const user = actor ? (actor.name ?? messages.deletedUser()) : messages.unknownUser();
  return typeof token === "string" ? messages.byToken({ user, token }) : user;
}

const notableKinds = new Set<SecurityEvent["kind"]>([
  "password_reset_made",
  "invitation_made",
  "factor_removed",
  "factors_taken_away",
  "provider_added",
  "provider_changed",
  "provider_removed",
  "sign_in_policy_changed",
  "user_changed",
  "user_removed",
  "role_changed",
  "role_removed",
  "token_created",
  "token_revoked",
  "display_revoked",
  "webhook_added",
  "webhook_changed",
  "webhook_secret_replaced",
  "log_exported",
  "records_exported",
  "values_erased",
  "user_erased",
]);

const bad = new Set<SecurityEvent["kind"]>([
  "sign_in_failed",
  "sign_in_throttled",
  "proof_failed",
  "break_glass_used",
  "capture_bypassed",
  "capture_restored",
  "webhook_missed",
]);

export function eventTone({ kind }: SecurityEvent): EventTone {
  if (bad.has(kind)) return "bad";
  return notableKinds.has(kind) ? "notable" : "usual";
}

const signInTexts: Record<string, typeof messages.signIn> = {
  password: messages.signInPassword,
  totp: messages.signInApp,
  recovery: messages.signInRecovery,
  passkey: messages.signInPasskey,
  invitation: messages.signInInvitation,
  setup: messages.signInSetup,
  link: messages.signInLink,
  provider: messages.signInProvider,
};

type Detail = SecurityEvent["detail"];

const isPasskey = ({ factor }: Detail) => factor === "passkey";

/** Null where the reader may not read the table. */
function tableName({ table }: Detail): string {
  return typeof table === "string" ? table : messages.hiddenTable();
}

function valuesErasedText({ fields, record, ...detail }: Detail): string {
  const table = tableName(detail);
  const named = Array.isArray(fields) ? fields.map(String) : [];
  return record === undefined || named.length === 0
    ? messages.valuesErasedHidden({ table })
    : messages.valuesErased({ fields: formatList(named), table, record: String(record) });
}

function signInFailedText(subject: string | null, reason: string): string {
  const known = {
    code: [messages.failedCode, messages.failedCodeAs],
    passkey: [messages.failedPasskey, messages.failedPasskeyAs],
    status: [messages.failedStatus, messages.failedStatusAs],
    policy: [messages.failedPolicy, messages.failedPolicyAs],
  } as const;
  const [text, textAs] =
    reason in known
      ? known[reason as keyof typeof known]
      : [messages.failedEmail, messages.failedPasswordAs];
  return subject === null ? text() : textAs({ subject });
}

function userChangedText(both: { user: string; subject: string }, detail: Detail): string {
  const { roleName, status } = detail;
  const role = roleName ?? detail.role;
  if (Array.isArray(role)) {
    return messages.userRoleChanged({ ...both, role: String(role[1]), before: String(role[0]) });
  }
  if (Array.isArray(status)) {
    return status[1] === "disabled" ? messages.userDisabled(both) : messages.userEnabled(both);
  }
  const parts = changedParts(detail);
  return parts ? messages.userChangedParts({ ...both, parts }) : messages.userChanged(both);
}

/** The names of what changed, or an empty text. */
function changedParts({ changed }: Detail): string {
  return Array.isArray(changed) ? changed.map(String).join(", ") : "";
}
