import type { Field } from "../../../../shared/model/model.ts";
import { fieldMessages as messages } from "../../messages/en/fields.ts";
import { toastRecurringFailure } from "../../ui/toast.tsx";

/** One line of text in place of a field that can't be edited: any text is valid. */
export function lockedField({ name, label }: Field): Field {
  return { name, label, type: "text" };
}

/**
 * Says why typed text can't be saved in a cell, and where it is stored instead: one notice for a series that is typed into
 * several cells, and the latest reason.
 */
export function showLockedText(reason: string, isStored: boolean): void {
  toastRecurringFailure("locked-text", isStored ? messages.lockedText({ reason }) : reason);
}
