import { AsyncLocalStorage } from "node:async_hooks";
import type { Subject } from "../../shared/policy/scope.ts";
import {
  type SecurityEvent,
  type SecurityEventKind,
  type SecurityEventsQuery,
  securityEventGroups,
} from "../../shared/protocol/security-events.ts";
import type { Db } from "../store/database.ts";
import {
  hasRecentEvent,
  insertSecurityEvent,
  listSecurityEvents,
  type NewSecurityEvent,
  type SecurityEventRow,
} from "../store/users/security-events.ts";
import { requireRight } from "./require-right.ts";

/**
 * Records security events: in the transaction of the action if there is one, otherwise before access is
 * granted, so that nothing happens unrecorded. It never contains secrets, nor what a stranger typed.
 */

/** The origin of the current request; the HTTP router sets it, so that it need not be passed on. */
export const requestOrigin = new AsyncLocalStorage<RequestOrigin>();

interface RequestOrigin {
  ip: string;
  userAgent: string;
  /** The name of the API token, if the request came with one: its events name it. */
  token?: string | undefined;
}

/** `subject` is the affected user or object; left out if it is the actor. */
export interface EventInput extends Omit<NewSecurityEvent, "ip" | "userAgent"> {
  kind: SecurityEventKind;
  /** The actor; null if unknown. */
  actor: string | null;
}

/** Records an event, with the origin of the request. */
export async function recordEvent(db: Db, input: EventInput): Promise<void> {
  await insertSecurityEvent(db, withOrigin(input));
}

/** The same, at most once in the window for a user and an address: floods leave one line. */
export async function recordOnce(db: Db, input: EventInput, withinMs: number): Promise<void> {
  const event = withOrigin(input);
  if (!(await hasRecentEvent(db, event, withinMs))) await insertSecurityEvent(db, event);
}

/** The newest first, for users with the right `activity`. */
export async function readSecurityEvents(
  db: Db,
  me: Subject,
  { group, user, before, limit }: SecurityEventsQuery,
): Promise<{ items: SecurityEvent[]; total: number }> {
  requireRight(me, "activity");
  const kinds = group ? securityEventGroups[group] : null;
  const filter = { kinds, user: user ?? null, before: before ?? null, limit };
  const { rows, total } = await listSecurityEvents(db, filter);
  return { items: rows.map(toEvent), total };
}

function withOrigin(input: EventInput): NewSecurityEvent {
  const { kind, actor, subject = null, subjectName, detail = {} } = input;
  const origin = requestOrigin.getStore();
  return {
    kind,
    actor,
    subject: subject === actor ? null : subject,
    ...(subjectName !== undefined && { subjectName }),
    ip: origin?.ip ?? null,
    userAgent: origin?.userAgent ?? null,
    detail: origin?.token === undefined ? detail : { ...detail, token: origin.token },
  };
}

function toEvent(row: SecurityEventRow): SecurityEvent {
  const { id, at, ip, detail } = row;
  return {
    id,
    at,
    kind: row.kind as SecurityEventKind,
    actor: row.actor === null ? null : { id: row.actor, name: row.actor_name },
    subject: row.subject === null ? null : { id: row.subject, name: row.subject_name },
    ip,
    userAgent: row.user_agent,
    detail,
  };
}
