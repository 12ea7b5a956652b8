import { Switch, TextInput } from "@mantine/core";
import { useState } from "react";
import { hasProperty } from "../../../../../shared/model/field-types.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { normalizeValue } from "../../../../../shared/model/normalize-value.ts";
import { patternProblem } from "../../../../../shared/model/pattern/pattern.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { explanationText } from "../../../messages/error-text.ts";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { NumberInput } from "../parts/number-input.tsx";
import classes from "./fields.module.css";

interface Props {
  field: Field;
  index: number;
}

/** Validation of a field: required, unique, bounds, pattern. */
export function FieldLimits(props: Props) {
  const { field } = props;
  return (
    <fieldset className={classes.limits}>
      <legend>{messages.limits()}</legend>
      <Flags {...props} />
      {hasProperty(field.type, "minimum") && <Bounds {...props} />}
      {hasProperty(field.type, "pattern") && <Pattern {...props} />}
    </fieldset>
  );
}

const flags = [
  ["required", messages.required, messages.requiredText],
  ["unique", messages.unique, messages.uniqueText],
  ["immutable", messages.immutable, messages.immutableText],
] as const;

function Flags({ field, index }: Props) {
  const { patchField, problem } = useTableEditor();
  const canBeUnique = hasProperty(field.type, "unique") || field.unique;
  const shown = flags.filter(([name]) => name !== "unique" || canBeUnique);
  return shown.map(([name, label, description]) => (
    <Switch
      key={name}
      label={label()}
      description={description()}
      checked={field[name] ?? false}
      error={problem("fields", index, name)}
      onChange={(event) => patchField(field, { [name]: event.currentTarget.checked || undefined })}
    />
  ));
}

function Bounds({ field, index }: Props) {
  const { patchField, problem } = useTableEditor();
  const isDuration = field.type === "duration";
  return (
    <div className={classes.pair}>
      <NumberInput
        label={isDuration ? messages.minimumSeconds() : messages.minimum()}
        value={field.minimum}
        error={problem("fields", index, "minimum")}
        onValue={(minimum) => patchField(field, { minimum }, "minimum")}
      />
      <NumberInput
        label={isDuration ? messages.maximumSeconds() : messages.maximum()}
        value={field.maximum}
        error={problem("fields", index, "maximum")}
        onValue={(maximum) => patchField(field, { maximum }, "maximum")}
      />
    </div>
  );
}

function Pattern({ field, index }: Props) {
  const { patchField, problem } = useTableEditor();
  const [tried, setTried] = useState("");
  const { pattern } = field;
  const isValidPattern = pattern !== undefined && patternProblem(pattern) === null;
  const validated = isValidPattern && tried ? normalizeValue(field, tried) : null;
  return (
    <>
      <div className={classes.pair}>
        <TextInput
          label={messages.pattern()}
          description={messages.patternText({ example: "[A-Z]{2}-\\d{4}" })}
          inputWrapperOrder={["label", "input", "description", "error"]}
          value={pattern ?? ""}
          autoComplete="off"
          spellCheck={false}
          error={problem("fields", index, "pattern")}
          onChange={(event) => {
            const text = event.currentTarget.value || undefined;
            const hint = text === undefined ? { patternHint: undefined } : {};
            patchField(field, { pattern: text, ...hint }, "pattern");
          }}
        />
        {isValidPattern && (
          <TextInput
            label={messages.tryPattern()}
            value={tried}
            autoComplete="off"
            description={validated?.ok ? messages.patternMatches() : " "}
            inputWrapperOrder={["label", "input", "description", "error"]}
            error={validated && !validated.ok ? explanationText(validated.problem) : undefined}
            onChange={(event) => setTried(event.currentTarget.value)}
          />
        )}
      </div>
      {pattern !== undefined && (
        <TextInput
          label={messages.patternHint()}
          placeholder={messages.patternHintExample()}
          value={field.patternHint ?? ""}
          error={problem("fields", index, "patternHint")}
          onChange={(event) =>
            patchField(field, { patternHint: event.currentTarget.value || undefined }, "hint")
          }
        />
      )}
    </>
  );
}
