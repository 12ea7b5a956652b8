import { Tooltip } from "@mantine/core";
import { IconAlertTriangle, IconCloudOff, IconLoader2, IconPointFilled } from "@tabler/icons-react";
import { connectionView } from "./connection-view.ts";
import classes from "./pill.module.css";
import { useConnectionFacts } from "./use-connection-facts.ts";

const icons = {
  good: IconPointFilled,
  busy: IconLoader2,
  warn: IconAlertTriangle,
  bad: IconCloudOff,
} as const;

/** The connection status as a label and an icon, never by colour alone. */
export function ConnectionPill() {
  const { label, tone, detail } = connectionView(useConnectionFacts());
  const Shape = icons[tone];
  return (
    <Tooltip label={detail} multiline maw={280}>
      <button type="button" className={classes.pill} data-tone={tone} data-testid="connection">
        <Shape size={14} stroke={2} aria-hidden="true" className={classes.icon} />
        <span role="status" className={classes.word}>
          {label}
        </span>
        <span className="wf-visually-hidden">. {detail}</span>
      </button>
    </Tooltip>
  );
}
