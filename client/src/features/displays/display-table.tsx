import type { DisplayInfo } from "../../../../shared/protocol/displays.ts";
import { displaysMessages as messages } from "../../messages/en/displays.ts";
import type { WallboardName } from "../../sync/calls/displays.ts";
import { ListTable } from "../../ui/list-table.tsx";
import type { DisplayTask } from "./display-dialog.tsx";
import { DisplayRow } from "./display-row.tsx";

interface Props {
  displays: readonly DisplayInfo[];
  boards: readonly WallboardName[];
  onOpenDialog: (dialog: DisplayTask) => void;
  onChanged: () => void;
}

/** One row per display. Small screens show only the name and the status. */
export function DisplayTable({ displays, boards, onOpenDialog, onChanged }: Props) {
  return (
    <ListTable
      label={messages.title()}
      columns={[messages.display(), messages.status()]}
      wideColumns={[messages.onScreen(), messages.machine()]}
    >
      {displays.map((display) => (
        <DisplayRow key={display.id} {...{ display, boards, onOpenDialog, onChanged }} />
      ))}
    </ListTable>
  );
}
