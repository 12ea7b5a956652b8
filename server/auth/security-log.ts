import { AsyncLocalStorage } from "node:async_hooks";
import type { Json } from "../../shared/filter/filter.ts";
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
 * Writes down what happened to who may come in and what they may: in the transaction of the deed where
 * there is one, before the door opens otherwise, so that nothing happens unwritten. No secret is
 * ever among it, nor what a stranger typed.
 */

/** Where the request that is being answered came from; the door sets it, so that nobody passes it on. */
export const requestOrigin = new AsyncLocalStorage<{ ip: string; userAgent: string }>();

export interface EventInput {
  kind: SecurityEventKind;
  /** Who did it; null where nobody is known. */
  actor: string | null;
  /** To whom or what; left out where it is the actor. A role brings its name. */
  subject?: string | null;
  subjectName?: string;
  detail?: Record<string, Json>;
}

/** Writes it down, with where the request came from. */
export async function recordEvent(db: Db, input: EventInput): Promise<void> {
  await insertSecurityEvent(db, withOrigin(input));
}

/** The same, at most once in the time for a person and an address: floods leave one line. */
export async function recordOnce(db: Db, input: EventInput, withinMs: number): Promise<void> {
  const event = withOrigin(input);
  if (!(await hasRecentEvent(db, event, withinMs))) await insertSecurityEvent(db, event);
}

/** The newest first, for who holds the right `activity`. */
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
    detail,
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
