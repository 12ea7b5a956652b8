import {
  IconAlertTriangleFilled,
  IconCircleCheckFilled,
  IconCircleOff,
  IconClock,
  IconPlayerPauseFilled,
  IconRefresh,
  IconSquareRoundedXFilled,
} from "@tabler/icons-react";
import type {
  DeliveryState,
  WebhookInfo,
  WebhookState,
} from "../../../../shared/protocol/webhooks.ts";
import cells from "../../ui/cells.module.css";
import { StatusMark } from "../../ui/status-mark.tsx";
import { deliveryLabels, notesOf, stateLabels } from "./webhook-labels.ts";

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

/** The state of a webhook with what needs attention. */
export function WebhookStatus({ hook }: { hook: WebhookInfo }) {
  const notes = notesOf(hook);
  return (
    <div className={cells.lines}>
      <WebhookStateMark state={hook.state} />
      {notes.length > 0 && <span className={cells.detail}>{notes.join(" · ")}</span>}
    </div>
  );
}
