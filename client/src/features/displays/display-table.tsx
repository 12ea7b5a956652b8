import type { DisplayInfo } from "../../../../shared/protocol/displays.ts";
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

/** Displays, one a row. On small screens only what identifies one and its state stay. */
export function DisplayTable({ displays, boards, onOpenDialog, onChanged }: Props) {
  return (
    <ListTable
      label="Displays"
      columns={["Display", "State"]}
      wideColumns={["On the screen", "Machine"]}
    >
      {displays.map((display) => (
        <DisplayRow key={display.id} {...{ display, boards, onOpenDialog, onChanged }} />
      ))}
    </ListTable>
  );
}
