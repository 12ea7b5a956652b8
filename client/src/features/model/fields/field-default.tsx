import { Checkbox, Input } from "@mantine/core";
import { useId } from "react";
import type { Json } from "../../../../../shared/filter/filter.ts";
import { DEFAULT_NOW, isNowByDefault } from "../../../../../shared/model/initial-value.ts";
import { type Field, idOfField } from "../../../../../shared/model/model.ts";
import { patched } from "../../../../../shared/model/pick-values.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { changeField } from "../document/edit-model.ts";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { Problem } from "../parts/problem.tsx";
import { ValueInput } from "../parts/value-input.tsx";

interface Props {
  field: Field;
  index: number;
}

/** The default value of the field in new records. */
export function FieldDefault({ field, index }: Props) {
  const { table } = useTableEditor();
  const isState = table.workflow !== undefined && table.stateField === field.name;
  return (
    <>
      <Value field={field} />
      <Problem at={["fields", index, "default"]} />
      {isState && <Problem at={["workflow", "states"]} />}
    </>
  );
}

function Value({ field }: { field: Field }) {
  const { change } = useTableEditor();
  const id = useId();
  const setDefault = (value: Json | undefined) =>
    change(
      (table) => changeField(table, idOfField(field), (was) => patched(was, { default: value })),
      `${idOfField(field)} default`,
    );
  const isNow = isNowByDefault(field);
  const now = field.type === "timestamp" && (
    <Checkbox
      size="xs"
      label={messages.defaultNow()}
      checked={isNow}
      onChange={({ currentTarget }) => setDefault(currentTarget.checked ? DEFAULT_NOW : undefined)}
    />
  );
  if (isNow) return now;
  return (
    <>
      {now}
      <Input.Wrapper label={messages.default()} labelProps={{ htmlFor: id }}>
        <ValueInput
          key={`${field.type} ${field.target ?? ""}`}
          id={id}
          field={field}
          value={field.default ?? null}
          onValue={(value) => setDefault(value === null ? undefined : value)}
        />
      </Input.Wrapper>
    </>
  );
}
