import type {
  SecurityEvent,
  SecurityEventGroup,
} from "../../../../shared/protocol/security-events.ts";
import { rest } from "../../transport/rest.ts";

export interface EventFilter {
  group: SecurityEventGroup | null;
  user: string | null;
}

/** The newest events that match; `before` is the id of the oldest that is held. */
export function readSecurityEvents(
  { group, user }: EventFilter,
  limit: number,
  before?: string,
): Promise<{ items: SecurityEvent[]; total: number }> {
  const query = new URLSearchParams({ limit: String(limit) });
  if (group) query.set("group", group);
  if (user) query.set("user", user);
  if (before) query.set("before", before);
  return rest("GET", `/security-events?${query}`);
}
