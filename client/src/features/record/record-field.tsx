import { IconLock } from "@tabler/icons-react";
import { useId, useRef, useState } from "react";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { Field, Table } from "../../../../shared/model/model.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";
import type { RecordView } from "../../state/record-view.ts";
import { usePresence } from "../../state/use-presence.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { pageLabels } from "../../sync/page/page-labels.ts";
import { CellStory } from "../../ui/fields/cell-story.tsx";
import { FieldInput, isLong } from "../../ui/fields/field-input.tsx";
import type { Parsed } from "../../ui/fields/parse-input.ts";
import { isSameValue } from "../../ui/fields/same-value.ts";
import { useArrivals } from "../../ui/fields/use-arrivals.ts";
import { ValueMark } from "../../ui/fields/value-mark.tsx";
import { whyLocked, whyReadOnly } from "../../ui/fields/why-read-only.ts";
import { personColour } from "../../ui/person-colour.ts";
import classes from "./record.module.css";

interface Props {
  table: Table;
  field: Field;
  abilities: TableAbilities;
  record: RecordView;
}

/** One field of the form: label, input or value, its state, and who else is in it. */
export function RecordField({ table, field, abilities, record }: Props) {
  const id = useId();
  const labels = pageLabels();
  useArrivals(labels);
  const state = record.cells[field.name];
  const value = record.values[field.name] ?? null;
  const readOnly = whyReadOnly(table, field, abilities, record);
  const person = usePresence([table.name]).find(
    (one) => one.record === record.id && one.field === field.name,
  );
  const colour = {
    ["--wf-author" as string]: person ? personColour(person.colour) : "transparent",
  };
  const { edits } = pageCore();
  return (
    <div
      className={classes.field}
      data-state={state?.kind}
      data-person={person ? "" : undefined}
      style={colour}
    >
      <label className={classes.label} htmlFor={readOnly ? undefined : id}>
        {field.label}
        {field.required && <span className={classes.required}> (required)</span>}
        {state?.kind === "pending" && <span className={classes.pending}>not saved yet</span>}
      </label>
      <div className={classes.value}>
        {readOnly ? (
          <span className={classes.fixed} title={readOnly}>
            <ValueMark field={field} value={value} lookUp={labels} />
            {whyLocked(table, field, record.values) && (
              <IconLock className={classes.lock} size={14} stroke={1.8} aria-label={readOnly} />
            )}
          </span>
        ) : (
          <FieldForm id={id} table={table} field={field} record={record} value={value} />
        )}
        {person && (
          <span className={classes.person}>
            {person.name}
            {person.mode === "editing" ? " · editing…" : ""}
          </span>
        )}
        {(state?.kind === "conflict" || state?.kind === "rejected") && (
          <div className={classes.storyBox} role="status">
            <CellStory
              field={field}
              state={state}
              lookUp={labels}
              onResolve={(choice) => edits.resolve(state.edit, field.name, choice)}
              onRetry={() => edits.retry(state.edit)}
              onDrop={() => edits.drop(state.edit, field.name)}
            />
          </div>
        )}
      </div>
    </div>
  );
}

interface FormProps extends Pick<Props, "table" | "field" | "record"> {
  id: string;
  value: Json;
}

/**
 * The input of one field. It follows the record until something is typed; from then on it keeps what
 * the person saw, which becomes the base of the edit.
 */
function FieldForm({ id, table, field, record, value }: FormProps) {
  const [round, setRound] = useState(0);
  const draft = useRef<{ base: Json; parsed: Parsed } | null>(null);
  const { presence } = pageCore();
  const place = (mode: "viewing" | "editing", inField = true) =>
    presence.set(table.name, { record: record.id, mode, ...(inField && { field: field.name }) });
  const commit = () => {
    const taken = draft.current;
    if (!taken?.parsed.ok) return;
    draft.current = null;
    setRound((count) => count + 1);
    if (!isSameValue(taken.parsed.value, taken.base)) {
      editField(table, field, record, taken.base, taken.parsed.value);
    }
  };
  const drop = () => {
    draft.current = null;
    setRound((count) => count + 1);
    place("viewing");
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hears the keys of the input inside it.
    <div
      onKeyDown={(event) => {
        if (event.key === "Escape" && draft.current) {
          event.preventDefault();
          event.stopPropagation();
          drop();
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
        lookUp={pageLabels()}
        onDraft={(parsed) => {
          draft.current = { base: draft.current ? draft.current.base : value, parsed };
          place("editing");
        }}
        onDone={commit}
        onFocus={() => place("viewing")}
        onBlur={() => {
          commit();
          place("viewing", false);
        }}
      />
    </div>
  );
}

/** Makes the edit; a refused one of the same field is put away first, what stands is then its base. */
function editField(table: Table, field: Field, record: RecordView, seen: Json, value: Json): void {
  const { edits } = pageCore();
  const state = record.cells[field.name];
  if (state?.kind === "rejected") edits.drop(state.edit, field.name);
  const base = state?.kind === "rejected" ? (record.confirmed?.[field.name] ?? null) : seen;
  edits.edit(table.name, {
    record: record.id,
    set: { [field.name]: value },
    base: { [field.name]: base },
  });
}
