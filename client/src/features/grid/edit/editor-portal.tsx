import { useLayoutEffect, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { FieldInput, isLong } from "../../../records/fields/field-input.tsx";
import { SavedNotice } from "../../../records/fields/saved-notice.tsx";
import type { GridController } from "../grid-controller.ts";

/** Draws the open editor into its cell; renders nothing while no cell is edited. */
export function EditorPortal({ grid }: { grid: GridController }) {
  const { core, editors: host, table } = grid;
  const open = useSyncExternalStore(host.subscribe, host.current);
  useLayoutEffect(() => open?.focus(), [open]);
  if (!open) return null;
  const { edit, field, record } = open;
  return createPortal(
    <>
      <FieldInput
        key={`${record}\n${field.name}`}
        field={field}
        value={edit.base}
        typed={open.typed}
        look="cell"
        creates
        looksUp
        onDraft={(draft, text) => edit.type(draft, text)}
        onDone={open.onDone}
      />
      <SavedNotice
        openTable={() => core.openTable(table.name)}
        {...{ record, field }}
        currentEdit={() => edit}
        className={isLong(field.type) ? undefined : "wf-editor-notice"}
      />
    </>,
    open.element,
  );
}
