import { useEffect, useRef, useState } from "react";
import type { Field, Table } from "../../../../shared/model/model.ts";
import { baseOf, FieldEdit, lockedField, showLockedText } from "../../records/fields/field-edit.ts";
import { FieldInput, isLong } from "../../records/fields/field-input.tsx";
import { SavedNotice } from "../../records/fields/saved-notice.tsx";
import type { RecordView } from "../../state/record-view.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { pageEditing } from "../../sync/page/page-labels.ts";
import { isUndoKey, UNDOES_EDITS } from "./undo-keys.ts";

interface Props {
  id: string;
  table: Table;
  field: Field;
  record: RecordView;
  /** Why the field is read-only: a draft becomes an unsaved text. */
  readOnly: string | null;
  /** Whether a read-only field has an input too, for text that becomes an unsaved text. */
  takesLockedText?: boolean | undefined;
  wraps?: boolean | undefined;
  /** Its accessible name where it has no label element. */
  label?: string | undefined;
  describedBy?: string | undefined;
}

/**
 * The input of one field. It follows the record until the user types, which begins an edit (`FieldEdit`). Enter ends it, except in a
 * text of several lines, and so does the focus that leaves; a text that is no value stays until it is one, or the input goes away.
 */
export function FieldForm(props: Props) {
  const { id, table, record, readOnly } = props;
  const isLocked = readOnly !== null;
  const field = isLocked ? lockedField(props.field) : props.field;
  const edit = useRef<FieldEdit | null>(null);
  const [round, setRound] = useState(0);
  const at = {
    ...pageEditing(),
    table,
    field: props.field,
    record: record.id,
    origin: "panel",
  } as const;
  const value = isLocked ? null : baseOf(at, record);
  const reset = () => {
    edit.current = null;
    setRound((count) => count + 1);
  };
  const cancel = () => {
    edit.current?.cancel();
    reset();
    reportPresence("viewing");
  };
  const commit = () => {
    if (!edit.current?.isReadable) return;
    edit.current.end();
    reset();
  };
  // What was begun in a field that could be written is no text of a locked one, and the other way round.
  useEffect(() => {
    if (!edit.current || isLocked === (edit.current.locked !== null)) return;
    edit.current.end();
    edit.current = null;
    setRound((count) => count + 1);
  }, [isLocked]);
  useEffect(
    () => () => {
      edit.current?.end();
      edit.current = null;
    },
    [],
  );
  // The server may give a new record another id while a text is typed, which is then stored under that id.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the record has another id.
  useEffect(() => edit.current?.note(), [record.id]);
  const reportPresence = (mode: "viewing" | "editing", inField = true) => {
    if (record.pending === "draft" || isLocked) return;
    const place = { record: record.id, mode, ...(inField && { field: field.name }) };
    pageCore().presence.set(table.name, place);
  };
  if (isLocked && !props.takesLockedText) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the input inside it.
    <div
      {...{ [UNDOES_EDITS]: "" }}
      data-locked={isLocked || undefined}
      onKeyDown={(event) => {
        if (edit.current && isUndoKey(event)) event.stopPropagation();
        if (event.key === "Escape" && edit.current) {
          event.preventDefault();
          event.stopPropagation();
          cancel();
        }
        const breaks = isLong(field.type) && !event.ctrlKey && !event.metaKey;
        if (event.key === "Enter" && !breaks) commit();
      }}
    >
      <FieldInput
        id={id}
        field={field}
        value={edit.current ? edit.current.base : value}
        round={round}
        look="form"
        wraps={props.wraps}
        creates
        looksUp
        label={props.label}
        describedBy={props.describedBy}
        locked={readOnly ?? undefined}
        onDraft={(parsed, text) => {
          edit.current ??= new FieldEdit({ at, base: value, locked: readOnly });
          edit.current.type(parsed, text);
          if (isLocked) showLockedText(readOnly, true);
          reportPresence("editing");
        }}
        onReset={cancel}
        onDone={commit}
        onFocus={() => reportPresence("viewing")}
        onBlur={() => {
          commit();
          reportPresence("viewing", false);
        }}
      />
      {!isLocked && (
        <SavedNotice
          openTable={() => pageCore().openTable(table.name)}
          {...{ record: record.id, field }}
          currentEdit={() => edit.current}
        />
      )}
    </div>
  );
}
