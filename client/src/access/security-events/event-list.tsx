import {
  IconAlertTriangle,
  IconApi,
  IconBuilding,
  IconDatabaseExclamation,
  IconDeviceDesktop,
  IconDeviceTvOld,
  IconKey,
  IconLogin2,
  IconSchema,
  IconShieldLock,
  IconUsers,
  IconWebhook,
} from "@tabler/icons-react";
import {
  type SecurityEvent,
  type SecurityEventGroup,
  securityEventGroups,
} from "../../../../shared/protocol/security-events.ts";
import { securityMessages as messages } from "../../messages/en/security.ts";
import { Ago } from "../../ui/ago.tsx";
import frame from "../../ui/rows.module.css";
import { Hint } from "../../ui/texts.ts";
import { describeAgent } from "../describe-agent.ts";
import { eventText, eventTone } from "./event-labels.ts";
import classes from "./event-list.module.css";

const icons: Record<SecurityEventGroup, typeof IconKey> = {
  signIns: IconLogin2,
  failures: IconAlertTriangle,
  credentials: IconKey,
  providers: IconBuilding,
  sessions: IconDeviceDesktop,
  people: IconUsers,
  roles: IconShieldLock,
  tokens: IconApi,
  displays: IconDeviceTvOld,
  webhooks: IconWebhook,
  model: IconSchema,
  data: IconDatabaseExclamation,
};

/** Events, newest first. A failure is marked by its icon and text, not by colour alone. */
export function EventList({ events }: { events: readonly SecurityEvent[] }) {
  return (
    <ul className={frame.rows} aria-label={messages.title()}>
      {events.map((event) => (
        <EventRow key={event.id} event={event} />
      ))}
    </ul>
  );
}

/** One event as an item of a list. */
export function EventRow({ event }: { event: SecurityEvent }) {
  const Shape = icons[groupOf(event)];
  const { label } = describeAgent(event.userAgent ?? "");
  return (
    <li className={classes.event} data-tone={eventTone(event)}>
      <Shape size={18} stroke={1.6} aria-hidden="true" />
      <div className={classes.words}>
        <span>{eventText(event)}</span>
        <Hint span>{event.ip === null ? messages.onServer() : `${event.ip} · ${label}`}</Hint>
      </div>
      <Ago className={classes.at} at={event.at} />
    </li>
  );
}

function groupOf({ kind }: SecurityEvent): SecurityEventGroup {
  const entries = Object.entries(securityEventGroups) as [SecurityEventGroup, readonly string[]][];
  return entries.find(([, kinds]) => kinds.includes(kind))?.[0] ?? "signIns";
}
