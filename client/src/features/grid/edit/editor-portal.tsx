import { useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { FieldInput } from "../../../ui/fields/field-input.tsx";
import type { LookUp } from "../../../ui/fields/look-up.ts";
import type { EditorHost } from "./editor-host.ts";

/** Draws the open editor into its cell; renders nothing while no cell is edited. */
export function EditorPortal({ host, lookUp }: { host: EditorHost; lookUp: LookUp }) {
  const open = useSyncExternalStore(host.subscribe, host.current);
  if (!open) return null;
  return createPortal(
    <FieldInput
      key={`${open.record}\n${open.field.name}`}
      field={open.field}
      value={open.base}
      typed={open.typed}
      look="cell"
      lookUp={lookUp}
      onDraft={open.onDraft}
      onDone={open.onDone}
    />,
    open.element,
  );
}
