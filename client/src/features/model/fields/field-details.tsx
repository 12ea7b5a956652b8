import { NativeSelect, TextInput } from "@mantine/core";
import { hasProperty } from "../../../../../shared/model/field-types.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { NumberInput } from "../parts/number-input.tsx";
import { FieldOptions } from "./field-options.tsx";
import classes from "./fields.module.css";

interface Props {
  field: Field;
  index: number;
}

/** Settings of certain types: options, linked table, decimal places, currency. */
export function FieldDetails(props: Props) {
  const { type } = props.field;
  if (hasProperty(type, "options")) return <FieldOptions {...props} />;
  if (hasProperty(type, "target")) return <LinkDetails {...props} />;
  return hasProperty(type, "scale") ? <AmountDetails {...props} /> : null;
}

function LinkDetails({ field, index }: Props) {
  const { model, patchField, problem } = useTableEditor();
  const tables = model.tables.map(({ name, label }) => ({ value: name, label }));
  const isKnown = model.tables.some(({ name }) => name === field.target);
  return (
    <div className={classes.pair}>
      <NativeSelect
        label={messages.target()}
        value={isKnown ? field.target : ""}
        data={isKnown ? tables : [{ value: "", label: messages.chooseTable() }, ...tables]}
        error={problem("fields", index, "target")}
        onChange={(event) => patchField(field, { target: event.currentTarget.value || undefined })}
      />
      <NativeSelect
        label={messages.onDelete()}
        value={field.onDelete ?? "refuse"}
        data={[
          { value: "refuse", label: messages.refuseDelete() },
          { value: "unlink", label: messages.clearLink() },
        ]}
        error={problem("fields", index, "onDelete")}
        onChange={(event) => {
          const unlinks = event.currentTarget.value === "unlink";
          patchField(field, { onDelete: unlinks ? "unlink" : undefined });
        }}
      />
    </div>
  );
}

function AmountDetails({ field, index }: Props) {
  const { patchField, problem } = useTableEditor();
  return (
    <div className={classes.pair}>
      <NumberInput
        label={messages.scale()}
        value={field.scale}
        placeholder="2"
        error={problem("fields", index, "scale")}
        onValue={(scale) => patchField(field, { scale }, "scale")}
      />
      {hasProperty(field.type, "currency") && (
        <TextInput
          label={messages.currency()}
          description={messages.currencyText()}
          inputWrapperOrder={["label", "input", "description", "error"]}
          maxLength={3}
          value={field.currency ?? ""}
          error={problem("fields", index, "currency")}
          onChange={(event) => {
            const currency = event.currentTarget.value.toUpperCase() || undefined;
            patchField(field, { currency }, "currency");
          }}
        />
      )}
    </div>
  );
}
