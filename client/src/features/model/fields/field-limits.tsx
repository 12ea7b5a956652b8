import { Switch, TextInput } from "@mantine/core";
import { useState } from "react";
import { type Field, type FieldType, kindOfType } from "../../../../../shared/model/model.ts";
import { normalizeValue } from "../../../../../shared/model/normalize-value.ts";
import { patternProblem } from "../../../../../shared/model/pattern/pattern.ts";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { NumberInput } from "../parts/number-input.tsx";
import classes from "./fields.module.css";

interface Props {
  field: Field;
  index: number;
}

const numbers: readonly FieldType[] = ["integer", "decimal", "money", "percent", "duration"];
const texts: readonly FieldType[] = ["text", "longText", "email", "url", "phone"];

/** What a value of the field has to be: there, its own, within bounds, of a form. */
export function FieldLimits(props: Props) {
  const { field } = props;
  return (
    <fieldset className={classes.limits}>
      <legend>What is allowed</legend>
      <Flags {...props} />
      {numbers.includes(field.type) && <Bounds {...props} />}
      {texts.includes(field.type) && <Pattern {...props} />}
    </fieldset>
  );
}

const flags = [
  ["required", "Required", "Never empty"],
  ["unique", "Unique", "No two records hold the same"],
  ["immutable", "Fixed once made", "Written when the record is made, and never after"],
] as const;

function Flags({ field, index }: Props) {
  const { patchField, problem } = useTableEditor();
  const kind = kindOfType[field.type];
  const isPlain = field.type !== "longText" && kind !== "json" && kind !== "list";
  const shown = flags.filter(([name]) => name !== "unique" || isPlain || field.unique);
  return shown.map(([name, label, description]) => (
    <Switch
      key={name}
      label={label}
      description={description}
      checked={field[name] ?? false}
      error={problem("fields", index, name)}
      onChange={(event) => patchField(field, { [name]: event.currentTarget.checked || undefined })}
    />
  ));
}

function Bounds({ field, index }: Props) {
  const { patchField, problem } = useTableEditor();
  const unit = field.type === "duration" ? " (seconds)" : "";
  return (
    <div className={classes.pair}>
      <NumberInput
        label={`At least${unit}`}
        value={field.minimum}
        error={problem("fields", index, "minimum")}
        onValue={(minimum) => patchField(field, { minimum }, "minimum")}
      />
      <NumberInput
        label={`At most${unit}`}
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
          label="Pattern"
          description="What the whole text looks like: [A-Z]{2}-\d{4}"
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
            label="Try it"
            value={tried}
            autoComplete="off"
            description={validated?.ok ? "This fits." : " "}
            inputWrapperOrder={["label", "input", "description", "error"]}
            error={validated && !validated.ok ? validated.problem.message : undefined}
            onChange={(event) => setTried(event.currentTarget.value)}
          />
        )}
      </div>
      {pattern !== undefined && (
        <TextInput
          label="What to say to a text that does not fit"
          placeholder="Enter two capital letters, a hyphen and four digits."
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
