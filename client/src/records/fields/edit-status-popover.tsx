import { useEffect, useState } from "react";
import type { Field } from "../../../../shared/model/model.ts";
import { fieldMessages as messages } from "../../messages/en/fields.ts";
import { richText } from "../../messages/rich-text.tsx";
import type { CellState } from "../../state/record-view.ts";
import { PopoverBeside } from "../../ui/popover-beside.tsx";
import { Hint } from "../../ui/texts.ts";
import { type EditActions, EditStatus } from "./edit-status.tsx";

interface Props {
  /** The cell or card of the edit. */
  element(): HTMLElement | undefined;
  field: Field;
  /** The present state of the edit; undefined once it is resolved. */
  state: CellState | undefined;
  edits: EditActions;
  /** False while its cell has the focus. */
  hasFocus?: boolean;
  onFocus?(): void;
  onClose(): void;
}

/**
 * The status of a conflicting or rejected edit, beside its cell or card. It is updated while it is open: it shows a newer
 * value of the other user, and closes once the edit is resolved.
 */
export function EditStatusPopover({ hasFocus = true, onFocus, ...props }: Props) {
  const { element, field, state, edits, onClose } = props;
  // An editor has its list below. Nothing of it moves while it is open: a button that is pressed takes the focus, and must be below the
  // pointer when it is released.
  const [isOfEditor] = useState(!hasFocus);
  const isResolved = !state || state.kind === "pending";
  useEffect(() => {
    if (isResolved) onClose();
  }, [isResolved, onClose]);
  if (isResolved) return null;
  return (
    <PopoverBeside
      element={element}
      label={messages.editStatusOf({ field: field.label })}
      position={isOfEditor ? "top-start" : "bottom-start"}
      withArrow
      hasFocus={hasFocus}
      {...(onFocus && { onFocus })}
      onClose={onClose}
    >
      {(close) => (
        <>
          <EditStatus field={field} state={state} edits={edits} onDone={close} />
          {isOfEditor && (
            <Hint fz="xs" mt={8} style={{ visibility: hasFocus ? "hidden" : "visible" }}>
              {richText(messages.editStatusKeys(), { kbd: (key) => <kbd>{key}</kbd> })}
            </Hint>
          )}
        </>
      )}
    </PopoverBeside>
  );
}
