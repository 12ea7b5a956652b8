import { TextInput } from "@mantine/core";
import type { Field } from "../../../../../shared/model/model.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { NumberInput } from "../parts/number-input.tsx";
import classes from "./fields.module.css";

interface Props {
  field: Field;
  index: number;
}

/** Automatic numbers: prefix, number of digits, first number. */
export function FieldNumbering({ field, index }: Props) {
  const { patchField, problem } = useTableEditor();
  const automatic = field.automatic ?? { prefix: "", digits: 5, start: 1 };
  const write = (part: Partial<typeof automatic>) =>
    patchField(field, { automatic: { ...automatic, ...part } }, "automatic");
  const first = automatic.prefix + String(automatic.start).padStart(automatic.digits, "0");
  return (
    <div className={classes.triple}>
      <TextInput
        label={messages.numberPrefix()}
        description={messages.firstNumber({ number: first })}
        inputWrapperOrder={["label", "input", "description", "error"]}
        value={automatic.prefix}
        error={problem("fields", index, "automatic", "prefix")}
        onChange={(event) => write({ prefix: event.currentTarget.value })}
      />
      <NumberInput
        label={messages.digits()}
        value={automatic.digits}
        error={problem("fields", index, "automatic", "digits")}
        onValue={(digits) => write({ digits: digits ?? 1 })}
      />
      <NumberInput
        label={messages.countsFrom()}
        value={automatic.start}
        error={problem("fields", index, "automatic", "start")}
        onValue={(start) => write({ start: start ?? 0 })}
      />
    </div>
  );
}
