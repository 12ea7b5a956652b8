import type { SecurityEvent } from "../../../../shared/protocol/security-events.ts";

/** How much an event asks for attention: tried and failed, or a right or a door changed, or all as usual. */
export type EventTone = "bad" | "notable" | "usual";

/** What happened, as one sentence; names are those of the moment. */
export function eventWords(event: SecurityEvent): string {
  const who = event.actor ? (event.actor.name ?? "Somebody who was removed") : "Somebody";
  const whom = event.subject ? (event.subject.name ?? "somebody who was removed") : null;
  const own = whom === null;
  const { detail } = event;
  switch (event.kind) {
    case "sign_in":
      return `${who} signed in${methods[String(detail.method)] ?? ""}.`;
    case "signed_out":
      return `${who} signed out.`;
    case "sign_in_failed":
      return failed(whom, String(detail.reason));
    case "sign_in_throttled":
      return `Too many attempts to sign in${whom ? ` as ${whom}` : ""}: the door is closed for a while.`;
    case "password_changed":
      return `${who} changed the password.`;
    case "password_reset_made":
      return `${who} made a link to reset the password of ${whom}.`;
    case "password_reset":
      return `${who} chose a new password by a link.`;
    case "factor_added":
      return `${who} added ${factor(detail)}.`;
    case "factor_removed":
      return `${who} removed ${factor(detail)}.`;
    case "factors_taken_away":
      return `${who} took the second factors of ${whom} away.`;
    case "recovery_codes_renewed":
      return `${who} made new recovery codes.`;
    case "session_ended":
      return own ? `${who} ended a session.` : `${who} ended a session of ${whom}.`;
    case "sessions_ended":
      return own ? `${who} signed out everywhere else.` : `${who} signed ${whom} out everywhere.`;
    case "user_added":
      return `${who} ${detail.invited ? "invited" : "added"} ${whom} as ${String(detail.role)}.`;
    case "user_changed":
      return changed(who, whom ?? "themselves", detail);
    case "user_removed":
      return `${who} removed ${whom}.`;
    case "invitation_made":
      return `${who} made another invitation for ${whom}.`;
    case "invitation_accepted":
      return `${who} accepted the invitation.`;
    case "role_added":
      return `${who} added the role ${whom}.`;
    case "role_changed":
      return `${who} changed the role ${whom}${parts(detail)}.`;
    case "role_removed":
      return `${who} removed the role ${whom}.`;
    case "display_paired":
      return `${who} paired the display ${whom}.`;
    case "display_revoked":
      return `${who} revoked the display ${whom}.`;
    case "display_removed":
      return `${who} removed the display ${whom}.`;
    case "model_changed":
      return `${who} put version ${String(detail.version)} of the model in force.`;
    case "capture_bypassed":
      return bypassed(detail);
    case "capture_restored":
      return `The triggers that record changes of ${String(detail.table)} were missing, disabled or altered. They were installed again.`;
  }
}

const notable = new Set<SecurityEvent["kind"]>([
  "password_reset_made",
  "invitation_made",
  "factor_removed",
  "factors_taken_away",
  "user_changed",
  "user_removed",
  "role_changed",
  "role_removed",
  "display_revoked",
]);

const bad = new Set<SecurityEvent["kind"]>([
  "sign_in_failed",
  "sign_in_throttled",
  "capture_bypassed",
  "capture_restored",
]);

export function eventTone({ kind }: SecurityEvent): EventTone {
  if (bad.has(kind)) return "bad";
  return notable.has(kind) ? "notable" : "usual";
}

const methods: Record<string, string> = {
  password: " by password",
  totp: " by password and authenticator app",
  recovery: " by password and a recovery code",
  passkey: " by passkey",
  invitation: " by an invitation",
  setup: " by the set-up link",
  link: " by a one-time link",
};

function bypassed({ table, count, records: found }: SecurityEvent["detail"]): string {
  const named = Array.isArray(found) ? found : [];
  const more = Number(count) - named.length;
  const list = `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  const records = Number(count) === 1 ? "a record" : `${String(count)} records`;
  return `Changed without an entry in the change log: ${records} of ${String(table)} (${list}).`;
}

function failed(whom: string | null, reason: string): string {
  const as = whom ? ` as ${whom}` : "";
  if (reason === "code") return `A sign-in${as} failed: the password was right, the code was not.`;
  if (reason === "passkey") return `A sign-in${as} failed: the passkey was not accepted.`;
  if (reason === "status") return `A sign-in${as} failed: they may not come in.`;
  return whom
    ? `A sign-in${as} failed: the password was not right.`
    : "A sign-in failed: there is nobody with that email.";
}

function factor(detail: SecurityEvent["detail"]): string {
  return detail.factor === "passkey"
    ? `the passkey “${String(detail.name)}”`
    : "an authenticator app";
}

function changed(who: string, whom: string, detail: SecurityEvent["detail"]): string {
  const { role, status } = detail;
  if (Array.isArray(role))
    return `${who} made ${whom} ${String(role[1])} (was ${String(role[0])}).`;
  if (Array.isArray(status)) {
    return `${who} ${status[1] === "disabled" ? "disabled" : "enabled"} ${whom}.`;
  }
  return `${who} changed ${whom}${parts(detail)}.`;
}

function parts({ changed }: SecurityEvent["detail"]): string {
  return Array.isArray(changed) && changed.length > 0 ? `: ${changed.map(String).join(", ")}` : "";
}
