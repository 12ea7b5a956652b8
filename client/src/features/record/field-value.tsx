import { IconLock } from "@tabler/icons-react";
import type { Json } from "../../../../shared/filter/filter.ts";
import { EditStatus } from "../../records/fields/edit-status.tsx";
import { lockedReason, locksAll, readOnlyReason } from "../../records/fields/read-only-reason.ts";
import { useLabelUpdates } from "../../records/fields/use-label-updates.ts";
import { ValueMark } from "../../records/fields/value-mark.tsx";
import { pageCore } from "../../sync/page/page-core.ts";
import { useGiveFocus } from "../../ui/use-give-focus.ts";
import { FieldForm } from "./field-form.tsx";
import classes from "./record.module.css";
import type { RecordFieldProps } from "./record-field.tsx";
import { UnsavedTextNotes } from "./unsaved-text-notes.tsx";

interface Props extends RecordFieldProps {
  id: string;
  /** The accessible name of the input where it has no label element. */
  label?: string;
  describedBy?: string | undefined;
  /** Whether a long text goes on in the next line. */
  wraps?: boolean | undefined;
  /** Whether text may be typed over a value that can't be edited: it becomes an unsaved text. */
  takesLockedText?: boolean;
}

/** The value of a field: its input, or a read-only value, and texts that were not saved. */
export function FieldValue(props: Props) {
  const { table, field, abilities, record } = props;
  useLabelUpdates();
  const value = record.values[field.name] ?? null;
  const readOnly = readOnlyReason(table, field, abilities, record);
  const { values } = record;
  const isLocked = lockedReason(table, field, values) !== null && !locksAll(table, values);
  return (
    <>
      <FieldForm {...props} readOnly={readOnly} />
      {readOnly && (
        <span className={classes.fixed} title={readOnly}>
          {isEmptyValue(value) ? (
            <span className="wf-empty">–</span>
          ) : (
            <ValueMark field={field} value={value} />
          )}
          {!props.takesLockedText && isLocked && (
            <IconLock className={classes.lock} size={14} stroke={1.8} aria-label={readOnly} />
          )}
        </span>
      )}
      <UnsavedTextNotes
        id={props.id}
        table={table}
        field={field}
        record={record}
        isWritable={readOnly === null}
      />
    </>
  );
}

/** Whether a value is none. */
export function isEmptyValue(value: Json | undefined): boolean {
  return (
    value === undefined ||
    value === null ||
    value === "" ||
    (Array.isArray(value) && value.length === 0)
  );
}

/** The outcome of the last edit of a field, if it has to be decided. `id` is that of its input. */
export function FieldEditStatus({ id, field, record }: Pick<Props, "id" | "field" | "record">) {
  const state = record.cells[field.name];
  const giveFocus = useGiveFocus(id);
  if (state?.kind !== "conflict" && state?.kind !== "rejected") return null;
  return (
    <div ref={giveFocus} className={classes.editStatus} role="status">
      <EditStatus field={field} state={state} edits={pageCore().edits} />
    </div>
  );
}
