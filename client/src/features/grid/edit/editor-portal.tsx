import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { FieldInput, isLong } from "../../../records/fields/field-input.tsx";
import { SavedNotice } from "../../../records/fields/saved-notice.tsx";
import { type SavedByOther, watchSaves } from "../../../sync/page/watch-saves.ts";
import type { Touched } from "../../../sync/window/table-session.ts";
import type { GridController } from "../grid-controller.ts";
import type { OpenEditor } from "./editor-host.ts";

/** Draws the open editor into its cell; renders nothing while no cell is edited. */
export function EditorPortal({ grid }: { grid: GridController }) {
  const { editors: host } = grid;
  const open = useSyncExternalStore(host.subscribe, host.current);
  const saved = useSaved(grid, open);
  useLayoutEffect(() => open?.focus(), [open]);
  if (!open) return null;
  return createPortal(
    <>
      <FieldInput
        key={`${open.record}\n${open.field.name}`}
        field={open.field}
        value={open.base}
        typed={open.typed}
        look="cell"
        creates
        looksUp
        onDraft={open.onDraft}
        onDone={open.onDone}
      />
      {saved && (
        <span className={isLong(open.field.type) ? undefined : "wf-editor-notice"}>
          <SavedNotice field={open.field} saved={saved} />
        </span>
      )}
    </>,
    open.element,
  );
}

/** A value that another user has saved in the cell since its editor was opened. */
function useSaved(grid: GridController, open: OpenEditor | null): SavedByOther | null {
  const [saved, setSaved] = useState<SavedByOther | null>(null);
  useEffect(() => {
    setSaved(null);
    if (!open) return;
    const { window } = grid;
    const source = {
      get: (record: string) => window.get(record),
      onTouched: (listener: (touched: Pick<Touched, "flashes">) => void) =>
        window.onRows((event) => event.kind === "rows" && listener(event)),
    };
    return watchSaves(source, { record: open.record, field: open.field.name }, setSaved);
  }, [grid, open]);
  return saved;
}
