import { Box, Title } from "@mantine/core";
import { type ReactNode, useEffect, useId, useState } from "react";
import type { Json } from "../../../../../shared/filter/filter.ts";
import { initialValue } from "../../../../../shared/model/initial-value.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { normalizeValue } from "../../../../../shared/model/normalize-value.ts";
import { isReadOnly } from "../../../../../shared/model/recorded.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { explanationText } from "../../../messages/error-text.ts";
import { FieldInput } from "../../../records/fields/field-input.tsx";
import { useLabelUpdates } from "../../../records/fields/use-label-updates.ts";
import { ValueMark } from "../../../records/fields/value-mark.tsx";
import { ErrorText, Hint } from "../../../ui/texts.ts";
import { fieldChoices } from "../labels/field-choices.ts";
import classes from "./fields.module.css";

/**
 * Previews the field with the same editor and validation as the grid and the record form. Typed values are not saved.
 */
export function FieldPreview({ field }: { field: Field }) {
  useLabelUpdates();
  const id = useId();
  const [opened] = useState(() => new Date().toISOString());
  const initial = JSON.stringify(initialValue(field, opened));
  const [value, setValue] = useState<Json>(JSON.parse(initial) as Json);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another type or default is another preview.
  useEffect(() => setValue(JSON.parse(initial) as Json), [field.type, initial]);
  if (isReadOnly(field)) return <ComputedPreview field={field} />;
  const validated = value === null ? null : normalizeValue(field, value);
  const isMissing = field.required && value === null && !field.automatic;
  const problem = validated && !validated.ok ? explanationText(validated.problem) : null;
  const number = field.automatic && value === null ? messages.automaticNumber() : null;
  return (
    <Preview
      field={field}
      text={messages.previewText()}
      shown={number ?? <ValueMark field={field} value={value} />}
    >
      <label className={classes.previewLabel} htmlFor={id}>
        {field.required ? messages.fieldRequired({ field: field.label }) : field.label}
      </label>
      <Box pos="relative">
        <FieldInput
          key={`${field.type} ${field.target ?? ""} ${initial}`}
          id={id}
          field={field}
          value={value}
          look="form"
          onDraft={(draft) => {
            if (draft.ok) setValue(draft.value);
          }}
          onDone={() => undefined}
        />
      </Box>
      {field.help && (
        <Hint mt={2} fz="xs">
          {field.help}
        </Hint>
      )}
      {(problem ?? isMissing) && (
        <ErrorText>{problem ?? messages.isRequired({ field: field.label })}</ErrorText>
      )}
    </Preview>
  );
}

/** The preview of a read-only field. */
function ComputedPreview({ field }: { field: Field }) {
  const { recorded } = field;
  return (
    <Preview
      field={field}
      text={(recorded === undefined ? messages.computedText : messages.recordedText)({
        field: field.label,
      })}
      shown={recorded === undefined ? `= ${field.expression}` : fieldChoices[recorded].name()}
    />
  );
}

interface PreviewProps {
  field: Field;
  text: string;
  /** What a cell of the field shows. */
  shown: ReactNode;
  /** The editor. */
  children?: ReactNode;
}

function Preview({ field, text, shown, children }: PreviewProps) {
  return (
    <aside className={classes.preview} aria-label={messages.previewOf({ field: field.label })}>
      <Title order={4}>{messages.preview()}</Title>
      <Hint mt={2} fz="xs">
        {text}
      </Hint>
      {children}
      <div className={classes.cells}>
        <span className={classes.cellHead}>{field.label}</span>
        <span className={classes.cell}>{shown}</span>
      </div>
    </aside>
  );
}
