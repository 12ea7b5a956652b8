import { IconLock } from "@tabler/icons-react";
import { useId, useState } from "react";
import type { Field, Table } from "../../../../shared/model/model.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";
import { recordMessages as messages } from "../../messages/en/record.ts";
import type { RecordView } from "../../state/record-view.ts";
import { usePresence } from "../../state/use-presence.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { pageLabels } from "../../sync/page/page-labels.ts";
import { EditStatus } from "../../ui/fields/edit-status.tsx";
import { lockedReason, readOnlyReason } from "../../ui/fields/read-only-reason.ts";
import { useLabelUpdates } from "../../ui/fields/use-label-updates.ts";
import { ValueMark } from "../../ui/fields/value-mark.tsx";
import { userColour } from "../../ui/user-colour.ts";
import { FieldForm } from "./field-form.tsx";
import { FieldBlame } from "./history/field-blame.tsx";
import type { HistoryState } from "./history/use-history.ts";
import { ValueLink } from "./linked/value-link.tsx";
import classes from "./record.module.css";
import { UnsavedTextNotes } from "./unsaved-text-notes.tsx";

export interface RecordFieldProps {
  table: Table;
  field: Field;
  abilities: TableAbilities;
  record: RecordView;
}

/** What all fields of the form share. */
export interface RecordFormProps extends Omit<RecordFieldProps, "field"> {
  /** Null for a user who may not see it, and for a draft. */
  history: HistoryState | null;
  onShowHistory(): void;
}

interface Props extends RecordFieldProps, RecordFormProps {}

/** One field of the form: its label, input or value, its state, and another user in it. */
export function RecordField({ table, field, abilities, record, history, onShowHistory }: Props) {
  const id = useId();
  const labels = pageLabels();
  useLabelUpdates(labels);
  const state = record.cells[field.name];
  const value = record.values[field.name] ?? null;
  const readOnly = readOnlyReason(table, field, abilities, record);
  const presentUser = usePresence([table.name]).find(
    (one) => one.record === record.id && one.field === field.name,
  );
  const colour = {
    ["--wf-author" as string]: presentUser ? userColour(presentUser.colour) : "transparent",
  };
  const { edits } = pageCore();
  const blame = useId();
  const [isBlameOpen, setBlameOpen] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles a key of the input inside it.
    <div
      className={classes.field}
      data-blames=""
      onKeyDown={(event) => {
        if (!event.altKey || event.code !== "KeyH" || !history) return;
        event.preventDefault();
        setBlameOpen(true);
      }}
      data-state={state?.kind}
      data-present={presentUser ? "" : undefined}
      style={colour}
    >
      <div className={classes.labelled}>
        <label className={classes.label} htmlFor={readOnly ? undefined : id}>
          {field.label}
          {field.required && <span className={classes.required}> {messages.required()}</span>}
          {state?.kind === "pending" && (
            <span className={classes.pending}>{messages.notSavedYet()}</span>
          )}
        </label>
        <ValueLink field={field} value={value} />
      </div>
      <div className={classes.value}>
        <FieldForm
          id={id}
          table={table}
          field={field}
          record={record}
          value={value}
          readOnly={readOnly}
          describedBy={history ? blame : undefined}
        />
        {readOnly && (
          <span className={classes.fixed} title={readOnly}>
            <ValueMark field={field} value={value} lookUp={labels} />
            {lockedReason(table, field, record.values) && (
              <IconLock className={classes.lock} size={14} stroke={1.8} aria-label={readOnly} />
            )}
          </span>
        )}
        <UnsavedTextNotes
          table={table}
          field={field}
          record={record}
          isWritable={readOnly === null}
        />
        {history && (
          <FieldBlame
            id={blame}
            {...{ table, field, abilities, record, history }}
            opened={isBlameOpen}
            onOpened={setBlameOpen}
            onShowAll={onShowHistory}
          />
        )}
        {presentUser && (
          <span className={classes.user}>
            {presentUser.mode === "editing"
              ? messages.editing({ user: presentUser.name })
              : presentUser.name}
          </span>
        )}
        {(state?.kind === "conflict" || state?.kind === "rejected") && (
          <div className={classes.editStatus} role="status">
            <EditStatus
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
