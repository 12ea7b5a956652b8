import { Title } from "@mantine/core";
import { useEffect, useId, useState } from "react";
import type { Json } from "../../../../../shared/filter/filter.ts";
import { initialValue } from "../../../../../shared/model/initial-value.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { normalizeValue } from "../../../../../shared/model/normalize-value.ts";
import { isReadOnly } from "../../../../../shared/model/recorded.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { FieldInput, isLong } from "../../../ui/fields/field-input.tsx";
import { useLabelUpdates } from "../../../ui/fields/use-label-updates.ts";
import { ValueMark } from "../../../ui/fields/value-mark.tsx";
import { fieldKinds } from "../labels/field-kinds.ts";
import classes from "./fields.module.css";
import { useDraftLookUp } from "./use-draft-look-up.ts";

/**
 * Previews the field with the same editor and validation as the grid and the record form. Typed values are not saved.
 */
export function FieldPreview({ field }: { field: Field }) {
  const lookUp = useDraftLookUp();
  useLabelUpdates(lookUp);
  const id = useId();
  const [opened] = useState(() => new Date().toISOString());
  const initial = JSON.stringify(initialValue(field, opened));
  const [value, setValue] = useState<Json>(JSON.parse(initial) as Json);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another type or default is another preview.
  useEffect(() => setValue(JSON.parse(initial) as Json), [field.type, initial]);
  if (isReadOnly(field)) return <ComputedPreview field={field} />;
  const validated = value === null ? null : normalizeValue(field, value);
  const isMissing = field.required && value === null && !field.automatic;
  const problem = validated && !validated.ok ? validated.problem.message : null;
  const number = field.automatic && value === null ? messages.automaticNumber() : null;
  return (
    <aside className={classes.preview} aria-label={messages.previewOf({ field: field.label })}>
      <Title order={4}>{messages.preview()}</Title>
      <p className={classes.previewHint}>{messages.previewText()}</p>
      <label className={classes.previewLabel} htmlFor={id}>
        {field.required ? messages.fieldRequired({ field: field.label }) : field.label}
      </label>
      <div className={classes.editor} data-long={isLong(field.type) || undefined}>
        <FieldInput
          key={`${field.type} ${field.target ?? ""} ${initial}`}
          id={id}
          field={field}
          value={value}
          look="form"
          lookUp={lookUp}
          onDraft={(draft) => {
            if (draft.ok) setValue(draft.value);
          }}
          onDone={() => undefined}
        />
      </div>
      {field.help && <p className={classes.previewHint}>{field.help}</p>}
      {(problem ?? isMissing) && (
        <p className={classes.problem}>{problem ?? messages.isRequired({ field: field.label })}</p>
      )}
      <div className={classes.cells}>
        <span className={classes.cellHead}>{field.label}</span>
        <span className={classes.cell}>
          {number ?? <ValueMark field={field} value={value} lookUp={lookUp} />}
        </span>
      </div>
    </aside>
  );
}

/** The preview of a read-only field. */
function ComputedPreview({ field }: { field: Field }) {
  const { recorded } = field;
  return (
    <aside className={classes.preview} aria-label={messages.previewOf({ field: field.label })}>
      <Title order={4}>{messages.preview()}</Title>
      <p className={classes.previewHint}>
        {recorded === undefined
          ? messages.computedText({ field: field.label })
          : messages.recordedText({ field: field.label })}
      </p>
      <div className={classes.cells}>
        <span className={classes.cellHead}>{field.label}</span>
        <span className={classes.cell}>
          {recorded === undefined ? `= ${field.expression}` : fieldKinds[recorded].name()}
        </span>
      </div>
    </aside>
  );
}
