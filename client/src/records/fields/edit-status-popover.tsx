import { CloseButton } from "@mantine/core";
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
  /** Where the focus is: in it, in its cell, or elsewhere, because it has come by itself. */
  focus?: "status" | "cell" | "elsewhere";
  onFocus?(): void;
  onClose(): void;
}

/**
 * The status of a conflicting or rejected edit, beside its cell or card. It is updated while it is open: it shows a newer
 * value of the other user, and closes once the edit is resolved.
 */
export function EditStatusPopover({ focus = "status", onFocus, ...props }: Props) {
  const { element, field, state, edits, onClose } = props;
  const hasFocus = focus === "status";
  // An editor has its list below, and who goes on typing goes down or to the right. Nothing of it moves while it is open: a button that is pressed
  // takes the focus, and must be below the pointer when it is released.
  const [first] = useState(focus);
  const isResolved = !state || state.kind === "pending";
  useEffect(() => {
    if (isResolved) onClose();
  }, [isResolved, onClose]);
  if (isResolved) return null;
  return (
    <PopoverBeside
      element={element}
      label={messages.editStatusOf({ field: field.label })}
      position={first === "status" ? "bottom-start" : "top-start"}
      withArrow
      hasFocus={hasFocus}
      isDismissed={first !== "elsewhere"}
      {...(onFocus && { onFocus })}
      onClose={onClose}
    >
      {(close) => (
        <>
          {first === "elsewhere" && (
            <CloseButton
              size="sm"
              pos="absolute"
              top={8}
              right={8}
              aria-label={messages.decideLater()}
              title={messages.decideLater()}
              onClick={close}
            />
          )}
          <EditStatus field={field} state={state} edits={edits} onDone={close} />
          {first === "cell" && (
            <Hint fz="xs" mt={8} style={{ visibility: hasFocus ? "hidden" : "visible" }}>
              {richText(messages.editStatusKeys(), { kbd: (key) => <kbd>{key}</kbd> })}
            </Hint>
          )}
        </>
      )}
    </PopoverBeside>
  );
}
