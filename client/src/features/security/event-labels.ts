import type { SecurityEvent } from "../../../../shared/protocol/security-events.ts";

/** How much an event asks for attention: tried and failed, or a right or a door changed, or all as usual. */
export type EventTone = "bad" | "notable" | "usual";

/** What happened, as one sentence; names are those of the moment. */
export function eventText(event: SecurityEvent): string {
  const actorName = event.actor ? (event.actor.name ?? "Somebody who was removed") : "Somebody";
  const subjectName = event.subject ? (event.subject.name ?? "somebody who was removed") : null;
  const isOwn = subjectName === null;
  const { detail } = event;
  switch (event.kind) {
    case "sign_in":
      return `${actorName} signed in${methods[String(detail.method)] ?? ""}.`;
    case "signed_out":
      return `${actorName} signed out.`;
    case "sign_in_failed":
      return signInFailedText(subjectName, String(detail.reason));
    case "sign_in_throttled":
      return `Too many attempts to sign in${subjectName ? ` as ${subjectName}` : ""}: the door is closed for a while.`;
    case "password_changed":
      return `${actorName} changed the password.`;
    case "password_reset_made":
      return `${actorName} made a link to reset the password of ${subjectName}.`;
    case "password_reset":
      return `${actorName} chose a new password by a link.`;
    case "factor_added":
      return `${actorName} added ${factorLabel(detail)}.`;
    case "factor_removed":
      return `${actorName} removed ${factorLabel(detail)}.`;
    case "factors_taken_away":
      return `${actorName} took the second factors of ${subjectName} away.`;
    case "recovery_codes_renewed":
      return `${actorName} made new recovery codes.`;
    case "session_ended":
      return isOwn
        ? `${actorName} ended a session.`
        : `${actorName} ended a session of ${subjectName}.`;
    case "sessions_ended":
      return isOwn
        ? `${actorName} signed out everywhere else.`
        : `${actorName} signed ${subjectName} out everywhere.`;
    case "user_added":
      return `${actorName} ${detail.invited ? "invited" : "added"} ${subjectName} as ${String(detail.role)}.`;
    case "user_changed":
      return changed(actorName, subjectName ?? "themselves", detail);
    case "user_removed":
      return `${actorName} removed ${subjectName}.`;
    case "invitation_made":
      return `${actorName} made another invitation for ${subjectName}.`;
    case "invitation_accepted":
      return `${actorName} accepted the invitation.`;
    case "role_added":
      return `${actorName} added the role ${subjectName}.`;
    case "role_changed":
      return `${actorName} changed the role ${subjectName}${parts(detail)}.`;
    case "role_removed":
      return `${actorName} removed the role ${subjectName}.`;
    case "display_paired":
      return `${actorName} paired the display ${subjectName}.`;
    case "display_revoked":
      return `${actorName} revoked the display ${subjectName}.`;
    case "display_removed":
      return `${actorName} removed the display ${subjectName}.`;
    case "model_changed":
      return `${actorName} put version ${String(detail.version)} of the model in force.`;
    case "capture_bypassed":
      return bypassed(detail);
    case "capture_restored":
      return `The triggers that record changes of ${String(detail.table)} were missing, disabled or altered. They were installed again.`;
  }
}

const notableKinds = new Set<SecurityEvent["kind"]>([
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
  return notableKinds.has(kind) ? "notable" : "usual";
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

function signInFailedText(subjectName: string | null, reason: string): string {
  const as = subjectName ? ` as ${subjectName}` : "";
  if (reason === "code") return `A sign-in${as} failed: the password was right, the code was not.`;
  if (reason === "passkey") return `A sign-in${as} failed: the passkey was not accepted.`;
  if (reason === "status") return `A sign-in${as} failed: they may not come in.`;
  return subjectName
    ? `A sign-in${as} failed: the password was not right.`
    : "A sign-in failed: there is nobody with that email.";
}

function factorLabel(detail: SecurityEvent["detail"]): string {
  return detail.factor === "passkey"
    ? `the passkey “${String(detail.name)}”`
    : "an authenticator app";
}

function changed(actorName: string, subjectName: string, detail: SecurityEvent["detail"]): string {
  const { role, status } = detail;
  if (Array.isArray(role))
    return `${actorName} made ${subjectName} ${String(role[1])} (was ${String(role[0])}).`;
  if (Array.isArray(status)) {
    return `${actorName} ${status[1] === "disabled" ? "disabled" : "enabled"} ${subjectName}.`;
  }
  return `${actorName} changed ${subjectName}${parts(detail)}.`;
}

function parts({ changed }: SecurityEvent["detail"]): string {
  return Array.isArray(changed) && changed.length > 0 ? `: ${changed.map(String).join(", ")}` : "";
}
