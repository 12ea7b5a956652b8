import { useCallback } from "react";
import type { Field } from "../../../../shared/model/model.ts";
import { EditStatusPopover } from "../../records/fields/edit-status-popover.tsx";
import type { RecordView } from "../../state/record-view.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import type { OpenCard } from "./card-menu.tsx";

interface Props {
  field: Field;
  open: OpenCard | null;
  view: RecordView | undefined;
  onClose(): void;
}

/** The status of a conflicting or rejected edit, beside its card. */
export function CardEditStatus({ field, open, view, onClose }: Props) {
  const close = useCallback(() => {
    onClose();
    open?.element.focus();
  }, [open, onClose]);
  if (!open) return null;
  return (
    <EditStatusPopover
      key={open.record}
      element={open.element}
      field={field}
      state={view?.cells[field.name]}
      edits={pageCore().edits}
      onClose={close}
    />
  );
}
