import { useEffect, useRef, useState } from "react";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { Field, Table } from "../../../../shared/model/model.ts";
import type { RecordView } from "../../state/record-view.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { FieldInput, isLong } from "../../ui/fields/field-input.tsx";
import { notSavedReason } from "../../ui/fields/not-saved-reason.ts";
import type { Parsed } from "../../ui/fields/parse-input.ts";
import { isSameValue } from "../../ui/fields/same-value.ts";
import { useLatest } from "../../ui/use-latest.ts";
import { ConcurrentSaveNotice } from "./concurrent-save-notice.tsx";
import { isUndoKey, UNDOES_EDITS } from "./undo-keys.ts";

interface Props {
  id: string;
  table: Table;
  field: Field;
  record: RecordView;
  value: Json;
  /** Why the field is read-only: nothing is shown, and typed text becomes an unsaved text. */
  readOnly: string | null;
  /** Its accessible name where it has no label element. */
  label?: string | undefined;
  describedBy?: string | undefined;
}

interface Draft {
  base: Json;
  parsed: Parsed;
  text: string;
}

/**
 * The input of one field. It follows the record until the user types; then it keeps the value that they saw as the base
 * of the edit. When it unmounts, the draft is saved, or stored as an unsaved text if it can't be.
 */
export function FieldForm(props: Props) {
  const { id, table, field, record, value, readOnly } = props;
  const [round, setRound] = useState(0);
  const draft = useRef<Draft | null>(null);
  const latest = useLatest(props);
  const reset = () => {
    draft.current = null;
    pageCore().texts.clearTyping(placeOf(latest.current));
    setRound((count) => count + 1);
  };
  const commit = () => {
    if (!draft.current?.parsed.ok) return;
    finish(latest.current, draft.current);
    reset();
  };
  useEffect(() => {
    if (readOnly === null || !draft.current) return;
    finish(latest.current, draft.current);
    draft.current = null;
    setRound((count) => count + 1);
  }, [readOnly]);
  useEffect(
    () => () => {
      if (draft.current) finish(latest.current, draft.current);
      draft.current = null;
    },
    [],
  );
  const reportPresence = (mode: "viewing" | "editing", inField = true) => {
    if (record.pending === "draft") return;
    const place = { record: record.id, mode, ...(inField && { field: field.name }) };
    pageCore().presence.set(table.name, place);
  };
  if (readOnly !== null) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the input inside it.
    <div
      {...{ [UNDOES_EDITS]: "" }}
      onKeyDown={(event) => {
        if (draft.current && isUndoKey(event)) event.stopPropagation();
        if (event.key === "Escape" && draft.current) {
          event.preventDefault();
          event.stopPropagation();
          reset();
          reportPresence("viewing");
        }
        const breaks = isLong(field.type) && !event.ctrlKey && !event.metaKey;
        if (event.key === "Enter" && !breaks) commit();
      }}
    >
      <FieldInput
        id={id}
        field={field}
        value={draft.current ? draft.current.base : value}
        round={round}
        look="form"
        creates
        label={props.label}
        describedBy={props.describedBy}
        onDraft={(parsed, text) => {
          draft.current = { base: draft.current ? draft.current.base : value, parsed, text };
          pageCore().texts.setTyping(placeOf(props), text, labelOf(props));
          reportPresence("editing");
        }}
        onDone={commit}
        onFocus={() => reportPresence("viewing")}
        onBlur={() => {
          commit();
          reportPresence("viewing", false);
        }}
      />
      <ConcurrentSaveNotice
        table={table.name}
        record={record.id}
        field={field}
        isTyping={() => draft.current !== null}
      />
    </div>
  );
}

function placeOf({ table, record, field }: Props) {
  return { table: table.name, record: record.id, field: field.name };
}

function labelOf({ table, field }: Props): string {
  return `${table.label} · ${field.label}`;
}

/** Makes an edit of the draft, or keeps it as an unsaved text if it can't be one. */
function finish(props: Props, { base, parsed, text }: Draft): void {
  const place = placeOf(props);
  const { texts } = pageCore();
  const isChanged = !parsed.ok || !isSameValue(parsed.value, base);
  const reason = parsed.ok ? notSavedReason(place, props.field.label) : parsed.message;
  if (isChanged && reason !== null) texts.add({ ...place, text, label: labelOf(props), reason });
  else if (parsed.ok && isChanged) editField(props, base, parsed.value);
  texts.clearTyping(place);
}

/** Submits the edit. A rejected one of the same field is dropped first, and the stored value is the base. */
function editField({ table, field, record }: Props, shownValue: Json, value: Json): void {
  const { edits } = pageCore();
  const state = record.cells[field.name];
  if (state?.kind === "rejected") edits.drop(state.edit, field.name);
  const base = state?.kind === "rejected" ? (record.confirmed?.[field.name] ?? null) : shownValue;
  const edit = { record: record.id, set: { [field.name]: value }, base: { [field.name]: base } };
  edits.edit(table.name, edit, "panel");
}
