import { findTable, type Model } from "../../../../shared/model/model.ts";
import type {
  DeliveryState,
  WebhookDelivery,
  WebhookEvent,
  WebhookInfo,
  WebhookReason,
  WebhookState,
} from "../../../../shared/protocol/webhooks.ts";
import { webhooksMessages as messages } from "../../messages/en/webhooks.ts";
import { formatList } from "../../ui/numbers.ts";

export const eventLabels: Record<WebhookEvent, () => string> = {
  created: messages.created,
  updated: messages.updated,
  deleted: messages.deleted,
  transition: messages.transition,
};

export const stateLabels: Record<WebhookState, () => string> = {
  active: messages.active,
  paused: messages.paused,
  stopped: messages.stopped,
  missed: messages.missed,
  failing: messages.failing,
};

export const deliveryLabels: Record<DeliveryState, () => string> = {
  due: messages.due,
  retrying: messages.retrying,
  delivered: messages.delivered,
  given_up: messages.gaveUp,
  skipped: messages.skipped,
  missed: messages.missed,
};

const reasons: Record<WebhookReason, () => string> = {
  owner: messages.stoppedOwner,
  table: messages.stoppedTable,
  filter: messages.stoppedFilter,
  secret: messages.stoppedSecret,
  floor: messages.missedFloor,
  epoch: messages.missedEpoch,
};

/** What needs attention, in sentences: why it is stopped, what failed, what waits. */
export function notesOf({ reason, failures, givenUp, open }: WebhookInfo): string[] {
  return [
    ...(reason ? [reasons[reason]()] : []),
    ...(failures > 0 ? [messages.failures({ count: failures })] : []),
    ...(givenUp > 0 ? [messages.givenUp({ count: givenUp })] : []),
    ...(open > 0 ? [messages.waiting({ count: open })] : []),
  ];
}

/** Which changes are sent: "Incidents: Created and Updated". */
export function contentLabel({ table, events }: WebhookInfo, model: Model): string {
  const label = table === null ? messages.hiddenTable() : (findTable(model, table)?.label ?? table);
  return `${label}: ${formatList(events.map((event) => eventLabels[event]()))}`;
}

export function deliveryTitle({ kind, type }: WebhookDelivery): string {
  if (kind === "test") return messages.testEvent();
  if (kind === "missed") return messages.missedEvents();
  const event = type?.replace("record.", "") as WebhookEvent | undefined;
  return event ? eventLabels[event]() : messages.hiddenRecord();
}

/** Why a delivery failed, or was not sent; null where nothing needs to be said. */
export function deliveryNote(delivery: WebhookDelivery): string | null {
  const { error, reason, state } = delivery;
  const status = String(delivery.status);
  if (reason) return reasons[reason]();
  if (state === "skipped") return messages.skippedText();
  switch (error) {
    case null:
      return null;
    case "status":
      return messages.errorStatus({ status });
    case "redirect":
      return messages.errorRedirect({ status });
    case "timeout":
      return messages.errorTimeout();
    case "address_refused":
      return messages.errorAddress();
    case "unresolved":
      return messages.errorName();
    case "connection":
      return messages.errorConnection();
    case "certificate_expired":
      return messages.errorCertificateExpired();
    case "certificate_name":
      return messages.errorCertificateName();
    case "certificate":
      return messages.errorCertificate();
    case "log_swept":
      return messages.errorSwept();
  }
}
