import type { DisplayInfo } from "../../../../shared/protocol/displays.ts";
import type { BoardName } from "../../sync/calls/displays.ts";
import { ListTable } from "../../ui/list-table.tsx";
import type { DialogOf } from "./display-dialog.tsx";
import { DisplayRow } from "./display-row.tsx";

interface Props {
  displays: readonly DisplayInfo[];
  boards: readonly BoardName[];
  onAsk: (dialog: DialogOf) => void;
  onChanged: () => void;
}

/** Displays, one a row. On small screens only what identifies one and its state stay. */
export function DisplayTable({ displays, boards, onAsk, onChanged }: Props) {
  return (
    <ListTable
      label="Displays"
      columns={["Display", "State"]}
      wideColumns={["On the screen", "Machine"]}
    >
      {displays.map((display) => (
        <DisplayRow key={display.id} {...{ display, boards, onAsk, onChanged }} />
      ))}
    </ListTable>
  );
}
