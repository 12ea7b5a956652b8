import { Button } from "@mantine/core";
import { wallboardsMessages as messages } from "../../../messages/en/wallboards.ts";
import { useAbilities } from "../../../state/use-account.ts";
import type { WallboardView } from "../../../state/wallboard-state.ts";
import { acknowledgeAlert } from "../../../sync/wallboards/wallboards.ts";
import { AlertShape } from "../../../tiles/parts/alert-mark.tsx";
import { formatAgo } from "../../../ui/numbers.ts";
import { toastProblem } from "../../../ui/toast.tsx";
import "../../../tiles/tiles.css";
import classes from "./alert-strip.module.css";
import { unacknowledgedAlerts } from "./unacknowledged-alerts.ts";

/** The unacknowledged alerts of a board. Acknowledging one applies to all its screens. */
export function AlertStrip({ id, view }: { id: string; view: WallboardView }) {
  const alerts =
    view.board && view.phase === "live" ? unacknowledgedAlerts(view.board, view.tiles) : [];
  const { tables } = useAbilities();
  const mayAcknowledge = Object.values(tables).some(({ acknowledge }) => acknowledge);
  if (alerts.length === 0) return null;
  return (
    <ul className={`wf-tiles ${classes.strip}`} data-theme="console" aria-label={messages.alerts()}>
      {alerts.map(({ call, where, alert }) => (
        <li key={`${call.tile} ${String(call.row)}`} className={classes.alert}>
          <span className={classes.mark} data-colour={alert.colour}>
            <AlertShape colour={alert.colour} />
            <strong>{alert.word}</strong>
          </span>
          <span className={classes.where}>{where}</span>
          <span className={classes.since}>{formatAgo(alert.since)}</span>
          {mayAcknowledge && (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={messages.acknowledgeAlert({ alert: alert.word, where })}
              onClick={() => void acknowledgeAlert(id, call).catch(toastProblem)}
            >
              {messages.acknowledge()}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
