import { useEffect, useRef, useState } from "react";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { Field, Table } from "../../../../shared/model/model.ts";
import { editByName, replaceNamed } from "../../records/fields/edit-by-name.ts";
import { FieldInput, isLong } from "../../records/fields/field-input.tsx";
import { lockedField, showLockedText } from "../../records/fields/locked-text.ts";
import { notSavedReason } from "../../records/fields/not-saved-reason.ts";
import { isSameValue } from "../../records/fields/same-value.ts";
import { SavedNotice } from "../../records/fields/saved-notice.tsx";
import type { Parsed } from "../../records/fields/typed-text.ts";
import type { RecordView } from "../../state/record-view.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { pageLabels } from "../../sync/page/page-labels.ts";
import { type SavedByOther, watchSaves } from "../../sync/page/watch-saves.ts";
import { useLatest } from "../../ui/use-latest.ts";
import { isUndoKey, UNDOES_EDITS } from "./undo-keys.ts";

interface Props {
  id: string;
  table: Table;
  field: Field;
  record: RecordView;
  value: Json;
  /** Why the field is read-only: a draft becomes an unsaved text. */
  readOnly: string | null;
  /** Whether a read-only field has an input too, for text that becomes an unsaved text. */
  takesLockedText?: boolean | undefined;
  /** Its accessible name where it has no label element. */
  label?: string | undefined;
  describedBy?: string | undefined;
}

interface Draft {
  base: Json;
  parsed: Parsed;
  text: string;
  /** Why the field was read-only when the text was typed. */
  locked: string | null;
}

/**
 * The input of one field. It follows the record until the user types; then it keeps the value that they saw as the base
 * of the edit. When it unmounts, the draft is saved, or stored as an unsaved text if it can't be.
 */
export function FieldForm(props: Props) {
  const { id, table, record, readOnly } = props;
  const isLocked = readOnly !== null;
  const field = isLocked ? lockedField(props.field) : props.field;
  const value = isLocked ? null : props.value;
  const [round, setRound] = useState(0);
  const draft = useRef<Draft | null>(null);
  const latest = useLatest(props);
  const reset = () => {
    draft.current = null;
    pageCore().texts.clearTyping(placeOf(latest.current));
    setRound((count) => count + 1);
  };
  const cancel = () => {
    reset();
    reportPresence("viewing");
  };
  const commit = () => {
    const { parsed } = draft.current ?? {};
    if (!draft.current || !parsed || !(parsed.ok || parsed.unsearched)) return;
    finish(latest.current, draft.current);
    reset();
  };
  useEffect(() => {
    if (!draft.current || isLocked === (draft.current.locked !== null)) return;
    finish(latest.current, draft.current);
    draft.current = null;
    setRound((count) => count + 1);
  }, [isLocked]);
  useEffect(
    () => () => {
      if (draft.current) finish(latest.current, draft.current);
      draft.current = null;
    },
    [],
  );
  // The server may give a new record another id while a text is typed, which is then stored under that id.
  useEffect(() => {
    const place = { table: table.name, record: record.id, field: field.name };
    return () => {
      if (draft.current) pageCore().texts.clearTyping(place);
    };
  }, [table.name, record.id, field.name]);
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
        if (draft.current && isUndoKey(event)) event.stopPropagation();
        if (event.key === "Escape" && draft.current) {
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
        value={draft.current ? draft.current.base : value}
        round={round}
        look="form"
        creates
        looksUp
        label={props.label}
        describedBy={props.describedBy}
        locked={readOnly ?? undefined}
        onDraft={(parsed, text) => {
          const base = draft.current ? draft.current.base : value;
          draft.current = { base, parsed, text, locked: readOnly };
          if (isLocked) showLockedText(readOnly, true);
          pageCore().texts.setTyping(placeOf(props), text, labelOf(props));
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
        <ConcurrentSaveNotice
          table={table.name}
          record={record.id}
          field={field}
          isTyping={() => draft.current !== null}
        />
      )}
    </div>
  );
}

function placeOf({ table, record, field }: Props) {
  return { table: table.name, record: record.id, field: field.name };
}

function labelOf({ table, field }: Props): string {
  return `${table.label} · ${field.label}`;
}

/** Makes an edit of the draft, or stores it as an unsaved text if it can't be one. */
function finish(props: Props, { base, parsed, text, locked }: Draft): void {
  const place = placeOf(props);
  const { texts } = pageCore();
  if (locked === null && !parsed.ok && parsed.unsearched) {
    const save = (value: Json) => {
      if (!isSameValue(value, base)) editField(props, base, value);
    };
    const { field } = props;
    void editByName(pageCore(), pageLabels(), { place, field, text, label: labelOf(props), save });
    return;
  }
  const isChanged = !parsed.ok || !isSameValue(parsed.value, base);
  const reason = locked ?? (parsed.ok ? notSavedReason(place, props.field.label) : parsed.message);
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
  replaceNamed({ table: table.name, record: record.id, field: field.name });
  const edit = { record: record.id, set: { [field.name]: value }, base: { [field.name]: base } };
  edits.edit(table.name, edit, "panel");
}

interface ConcurrentSaveNoticeProps {
  table: string;
  record: string;
  field: Field;
  isTyping(): boolean;
}

/** Notifies a typing user that somebody else has just saved the same field. */
function ConcurrentSaveNotice({ table, record, field, isTyping }: ConcurrentSaveNoticeProps) {
  const [saved, setSaved] = useState<SavedByOther | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: isTyping is called at each save.
  useEffect(() => {
    const session = pageCore().openTable(table);
    const stop = watchSaves(session, { record, field: field.name }, (save) => {
      if (isTyping()) setSaved(save);
    });
    return () => {
      stop();
      session.close();
    };
  }, [table, record, field.name]);
  if (!saved || !isTyping()) return null;
  return <SavedNotice field={field} saved={saved} />;
}
