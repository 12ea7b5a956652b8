import { useEffect } from "react";
import type { Field } from "../../../../shared/model/model.ts";
import { fieldMessages as messages } from "../../messages/en/fields.ts";
import type { CellState } from "../../state/record-view.ts";
import { PopoverBeside } from "../../ui/popover-beside.tsx";
import { type EditActions, EditStatus } from "./edit-status.tsx";

interface Props {
  /** The cell or card of the edit. */
  element: HTMLElement;
  field: Field;
  /** The present state of the edit; undefined once it is resolved. */
  state: CellState | undefined;
  edits: EditActions;
  onClose(): void;
}

/**
 * The status of a conflicting or rejected edit, beside its cell or card. It is updated while it is open: it shows a newer
 * value of the other user, and closes once the edit is resolved.
 */
export function EditStatusPopover({ element, field, state, edits, onClose }: Props) {
  const isResolved = !state || state.kind === "pending";
  useEffect(() => {
    if (isResolved) onClose();
  }, [isResolved, onClose]);
  if (isResolved) return null;
  return (
    <PopoverBeside
      element={element}
      label={messages.editStatusOf({ field: field.label })}
      position="bottom-start"
      withArrow
      onClose={onClose}
    >
      {(close) => <EditStatus field={field} state={state} edits={edits} onDone={close} />}
    </PopoverBeside>
  );
}
