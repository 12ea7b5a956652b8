import { ActionIcon, Box, NativeSelect, Stack } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { Json } from "../../../../../shared/filter/filter.ts";
import {
  type Derivation,
  type Field,
  findField,
  type Table,
} from "../../../../../shared/model/model.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { ErrorText } from "../../../ui/texts.ts";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { Problem } from "../parts/problem.tsx";
import { ValueInput } from "../parts/value-input.tsx";
import { combinationsOf, derivationSources } from "./derivation.ts";
import classes from "./fields.module.css";

interface Props {
  field: Field;
  index: number;
}

/** The derived value of an empty field: one for each combination of other fields' values. */
export function FieldDerivation({ field, index }: Props) {
  const { table, patchField, problem } = useTableEditor();
  const derive = field.derive ?? { fields: [], values: {} };
  const set = (next: Derivation, tag?: string) => patchField(field, { derive: next }, tag);
  const remaining = derivationSources(field, table).filter(
    ({ name }) => !derive.fields.includes(name),
  );
  const combinations = combinationsOf(derive, table);
  return (
    <fieldset className={classes.options}>
      <legend>{messages.derivedFrom()}</legend>
      {derive.fields.map((name, place) => (
        <div key={name} className={classes.option}>
          <Box component="span" flex="1" miw={120}>
            {labelOf(table, name)}
          </Box>
          <ActionIcon
            size="sm"
            aria-label={messages.removeSource({ field: labelOf(table, name) })}
            onClick={() => set({ fields: derive.fields.filter((one) => one !== name), values: {} })}
          >
            <IconX size={15} />
          </ActionIcon>
          <Problem at={["fields", index, "derive", "fields", place]} />
        </div>
      ))}
      {remaining.length > 0 && (
        <NativeSelect
          size="xs"
          w={220}
          aria-label={messages.addSource()}
          value=""
          data={[
            {
              value: "",
              label: derive.fields.length ? messages.addSourceMore() : messages.chooseField(),
            },
            ...remaining.map(({ name, label }) => ({ value: name, label })),
          ]}
          onChange={(event) => {
            const { value } = event.currentTarget;
            if (value) set({ fields: [...derive.fields, value], values: {} });
          }}
        />
      )}
      <Problem at={["fields", index, "derive"]} />
      {combinations.length > 0 && (
        <Stack
          component="ul"
          gap={6}
          w="100%"
          mt={6}
          aria-label={messages.valuesOf({ field: field.label })}
        >
          {combinations.map(({ key, label }) => (
            <Combination
              key={key}
              field={field}
              label={label}
              value={derive.values[key] ?? null}
              error={problem("fields", index, "derive", "values", key)}
              onValue={(value) => {
                const { [key]: _, ...others } = derive.values;
                const values = value === null ? others : { ...others, [key]: value };
                set({ ...derive, values }, `derive ${key}`);
              }}
            />
          ))}
        </Stack>
      )}
    </fieldset>
  );
}

interface CombinationProps {
  field: Field;
  label: string;
  value: Json;
  error: string | undefined;
  onValue(value: Json): void;
}

function Combination({ field, label, value, error, onValue }: CombinationProps) {
  return (
    <li className={classes.combination}>
      <span>{label}</span>
      <ValueInput
        field={field}
        value={value}
        label={messages.valueFor({ field: field.label, choice: label })}
        onValue={onValue}
      />
      {error && <ErrorText>{error}</ErrorText>}
    </li>
  );
}

const labelOf = (table: Table, name: string) => findField(table, name)?.label ?? name;
