import {
  IconAlertTriangleFilled,
  IconCircleCheckFilled,
  IconCircleOff,
  IconClock,
  IconPlayerPauseFilled,
  IconRefresh,
  IconSquareRoundedXFilled,
} from "@tabler/icons-react";
import type { DeliveryState, WebhookState } from "../../../../shared/protocol/webhooks.ts";
import { StatusMark } from "../../ui/status-mark.tsx";
import { deliveryLabels, stateLabels } from "./webhook-labels.ts";

const marks = {
  active: ["good", IconCircleCheckFilled],
  paused: ["quiet", IconPlayerPauseFilled],
  stopped: ["bad", IconSquareRoundedXFilled],
  missed: ["bad", IconAlertTriangleFilled],
  failing: ["warn", IconAlertTriangleFilled],
  due: ["quiet", IconClock],
  retrying: ["warn", IconRefresh],
  delivered: ["good", IconCircleCheckFilled],
  given_up: ["bad", IconSquareRoundedXFilled],
  skipped: ["quiet", IconCircleOff],
} as const;

const labels = { ...stateLabels, ...deliveryLabels };

/** The state of a webhook or a delivery. */
export function WebhookStateMark({ state }: { state: WebhookState | DeliveryState }) {
  const [tone, icon] = marks[state];
  return <StatusMark tone={tone} icon={icon} label={labels[state]()} />;
}
