import { Stack, Table } from "@mantine/core";
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
import type { WallboardName } from "../../sync/calls/displays.ts";
import { Ago } from "../../ui/ago.tsx";
import { wideCell } from "../../ui/list-table.tsx";
import type { DisplayTask } from "./display-dialog.tsx";
import { boardsLabel, lagLabel, machineLabel, statusLabels } from "./display-labels.ts";
import { DisplayMenu } from "./display-menu.tsx";
import classes from "./displays.module.css";

const icons = {
  online: IconCircleCheckFilled,
  stale: IconAlertTriangleFilled,
  offline: IconSquareRoundedXFilled,
  pairing: IconCircleDashed,
  revoked: IconCircleOff,
} as const;

interface Props {
  display: DisplayInfo;
  boards: readonly WallboardName[];
  onOpenDialog: (dialog: DisplayTask) => void;
  onChanged: () => void;
}

/** One display: name, status, what it shows, and its device. */
export function DisplayRow({ display, boards, onOpenDialog, onChanged }: Props) {
  const nameOf = (id: string) =>
    boards.find((board) => board.id === id)?.name ?? messages.deletedBoard();
  const { report, status } = display;
  const isRunning = status === "online" || status === "stale";
  return (
    <Table.Tr data-display={display.id}>
      <Table.Td>
        <Stack gap={1} lh={1.4} miw={0}>
          <span className={classes.name}>
            {display.name}
            {display.muted && <IconVolumeOff size={15} aria-label={messages.muted()} />}
          </span>
          <span className={classes.more}>{boardsLabel(display, nameOf)}</span>
        </Stack>
      </Table.Td>
      <Table.Td>
        <State display={display} />
      </Table.Td>
      <Table.Td className={wideCell}>
        <Stack gap={1} lh={1.4} miw={0}>
          <span>{isRunning && report?.board ? nameOf(report.board) : "–"}</span>
          {isRunning && <span className={classes.more}>{lagLabel(report?.lagMs)}</span>}
        </Stack>
      </Table.Td>
      <Table.Td className={wideCell}>
        <Stack gap={1} lh={1.4} miw={0}>
          <span>{machineLabel(display)}</span>
          {display.upToDate === false && (
            <span className={classes.old}>{messages.olderVersion()}</span>
          )}
        </Stack>
      </Table.Td>
      <Table.Td ta="end">
        <DisplayMenu {...{ display, boards, onOpenDialog, onChanged }} />
      </Table.Td>
    </Table.Tr>
  );
}

function State({ display: { status, lastSeen } }: { display: DisplayInfo }) {
  const Icon = icons[status];
  return (
    <Stack gap={1} lh={1.4} miw={0}>
      <span className={classes.status} data-status={status}>
        <Icon size={16} aria-hidden="true" />
        {statusLabels[status]()}
      </span>
      {status !== "online" && lastSeen && (
        <Ago className={classes.more} at={lastSeen} text={(ago) => messages.lastSeen({ ago })} />
      )}
    </Stack>
  );
}
