import type {
  SecurityEvent,
  SecurityEventGroup,
} from "../../../../shared/protocol/security-events.ts";
import { rest } from "../../transport/rest/rest.ts";

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
  const query = { limit, group: group ?? undefined, user: user ?? undefined, before };
  return rest("GET /security-events", { query });
}
