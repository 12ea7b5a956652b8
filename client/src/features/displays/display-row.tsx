import { Group, Table, Text } from "@mantine/core";
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
import { wideCell } from "../../ui/list-table.tsx";
import { StatusMark } from "../../ui/status-mark.tsx";
import type { DisplayTask } from "./display-dialog.tsx";
import type { WallboardName } from "./display-labels.ts";
import { lagLabel, machineLabel, statusLabels, wallboardsLabel } from "./display-labels.ts";
import { DisplayMenu } from "./display-menu.tsx";

const marks = {
  online: ["good", IconCircleCheckFilled],
  stale: ["warn", IconAlertTriangleFilled],
  offline: ["bad", IconSquareRoundedXFilled],
  pairing: ["plain", IconCircleDashed],
  revoked: ["plain", IconCircleOff],
} as const;

interface Props {
  display: DisplayInfo;
  wallboards: readonly WallboardName[];
  onOpenDialog: (dialog: DisplayTask) => void;
  onChanged: () => void;
}

/** One display: name, status, what it shows, and its device. */
export function DisplayRow({ display, wallboards, onOpenDialog, onChanged }: Props) {
  const nameOf = (id: string) =>
    wallboards.find((wallboard) => wallboard.id === id)?.name ?? messages.deletedWallboard();
  const { report, status } = display;
  const isRunning = status === "online" || status === "stale";
  return (
    <Table.Tr data-display={display.id}>
      <Table.Td>
        <div className={cells.lines}>
          <Group component="span" gap={6} wrap="nowrap" fw={560}>
            {display.name}
            {display.muted && (
              <IconVolumeOff size={15} color="var(--wf-text-dim)" aria-label={messages.muted()} />
            )}
          </Group>
          <span className={cells.detail}>{wallboardsLabel(display, nameOf)}</span>
        </div>
      </Table.Td>
      <Table.Td>
        <State display={display} />
      </Table.Td>
      <Table.Td className={wideCell}>
        <div className={cells.lines}>
          <span>{isRunning && report?.board ? nameOf(report.board) : "–"}</span>
          {isRunning && <span className={cells.detail}>{lagLabel(report?.lagMs)}</span>}
        </div>
      </Table.Td>
      <Table.Td className={wideCell}>
        <div className={cells.lines}>
          <span>{machineLabel(display)}</span>
          {display.upToDate === false && (
            <Text span c="var(--wf-warn)" fz="sm">
              {messages.olderVersion()}
            </Text>
          )}
        </div>
      </Table.Td>
      <Table.Td ta="end">
        <DisplayMenu {...{ display, wallboards, onOpenDialog, onChanged }} />
      </Table.Td>
    </Table.Tr>
  );
}

function State({ display: { status, lastSeen } }: { display: DisplayInfo }) {
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
