import { useEffect } from "react";
import type { Field } from "../../../../shared/model/model.ts";
import type { CellState, EditRef } from "../../state/record-view.ts";
import { PopoverBeside } from "../popover-beside.tsx";
import { EditStatus } from "./edit-status.tsx";
import type { LookUp } from "./look-up.ts";

/** What can be done about an edit that did not simply go through. */
interface EditActions {
  resolve(edit: EditRef, field: string, choice: "mine" | "theirs"): void;
  retry(edit: EditRef): void;
  drop(edit: EditRef, field?: string): void;
}

interface Props {
  /** The cell or card whose story is told. */
  element: HTMLElement;
  field: Field;
  /** As it is now; without one there is nothing left to tell. */
  state: CellState | undefined;
  lookUp: LookUp;
  edits: EditActions;
  onClose(): void;
}

/**
 * The story of a conflict or refusal, beside what it happened to. It stays true while it is open: when theirs
 * changes again it shows the newer value, when there is nothing left to decide it closes.
 */
export function EditStatusPopover({ element, field, state, lookUp, edits, onClose }: Props) {
  const isResolved = !state || state.kind === "pending";
  useEffect(() => {
    if (isResolved) onClose();
  }, [isResolved, onClose]);
  if (isResolved) return null;
  return (
    <PopoverBeside
      element={element}
      label={`${field.label}: what became of my change`}
      position="bottom-start"
      withArrow
      onClose={onClose}
    >
      {(close) => {
        const closeAfter = (act: () => void) => () => {
          act();
          close();
        };
        return (
          <EditStatus
            field={field}
            state={state}
            lookUp={lookUp}
            onResolve={(choice) =>
              closeAfter(() => edits.resolve(state.edit, field.name, choice))()
            }
            onRetry={closeAfter(() => edits.retry(state.edit))}
            onDrop={closeAfter(() => edits.drop(state.edit, field.name))}
          />
        );
      }}
    </PopoverBeside>
  );
}
