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
import { deliveryLabels, stateLabels } from "./webhook-labels.ts";
import classes from "./webhooks.module.css";

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

/** The state of a webhook or a delivery: icon and word, so that colour is never alone. */
export function StatusMark({ state }: { state: WebhookState | DeliveryState }) {
  const [tone, Icon] = marks[state];
  return (
    <span className={classes.status} data-tone={tone}>
      <Icon size={16} aria-hidden="true" />
      {labels[state]()}
    </span>
  );
}
