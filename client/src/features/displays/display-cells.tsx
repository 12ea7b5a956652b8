import { Group, Text } from "@mantine/core";
import {
  IconAlertTriangleFilled,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleOff,
  IconSquareRoundedXFilled,
  IconVolumeOff,
} from "@tabler/icons-react";
import type { DisplayInfo } from "../../../../shared/protocol/displays.ts";
import { displaysMessages as messages } from "../../messages/en/displays.ts";
import { Ago } from "../../ui/ago.tsx";
import cells from "../../ui/cells.module.css";
import { StatusMark } from "../../ui/status-mark.tsx";
import {
  lagLabel,
  machineLabel,
  ownerLabel,
  statusLabels,
  wallboardsLabel,
} from "./display-labels.ts";

const marks = {
  online: ["good", IconCircleCheckFilled],
  stale: ["warn", IconAlertTriangleFilled],
  offline: ["bad", IconSquareRoundedXFilled],
  pairing: ["plain", IconCircleDashed],
  revoked: ["plain", IconCircleOff],
} as const;

interface Props {
  display: DisplayInfo;
  /** What a wallboard is called. */
  nameOf: (id: string) => string;
}

/** Its name and what it may show. */
export function NameCell({ display, nameOf }: Props) {
  const owner = ownerLabel(display);
  return (
    <div className={cells.lines}>
      <Group component="span" gap={6} wrap="nowrap" fw={600}>
        {display.name}
        {display.muted && (
          <IconVolumeOff size={15} color="var(--wf-text-dim)" aria-label={messages.muted()} />
        )}
      </Group>
      <span className={cells.detail}>{wallboardsLabel(display, nameOf)}</span>
      {owner !== null && <span className={cells.detail}>{owner}</span>}
      {display.ownerLeft && (
        <Text span c="var(--wf-warn)" fz="sm">
          {messages.withoutOwner()}
        </Text>
      )}
    </div>
  );
}

/** How it is doing. */
export function StatusCell({ display: { status, lastSeen } }: { display: DisplayInfo }) {
  const [tone, icon] = marks[status];
  return (
    <div className={cells.lines}>
      <StatusMark tone={tone} icon={icon} label={statusLabels[status]()} />
      {status !== "online" && lastSeen && (
        <Ago className={cells.detail} at={lastSeen} text={(ago) => messages.lastSeen({ ago })} />
      )}
    </div>
  );
}

/** What it shows now. */
export function OnScreenCell({ display: { report, status }, nameOf }: Props) {
  const isRunning = status === "online" || status === "stale";
  return (
    <div className={cells.lines}>
      <span>{isRunning && report?.board ? nameOf(report.board) : "–"}</span>
      {isRunning && <span className={cells.detail}>{lagLabel(report?.lagMs)}</span>}
    </div>
  );
}

/** The machine that it runs on. */
export function MachineCell({ display }: Pick<Props, "display">) {
  return (
    <div className={cells.lines}>
      <span>{machineLabel(display)}</span>
      {display.upToDate === false && (
        <Text span c="var(--wf-warn)" fz="sm">
          {messages.olderVersion()}
        </Text>
      )}
    </div>
  );
}
