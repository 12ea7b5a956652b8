import { ActionIcon, NativeSelect, Stack } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { Json } from "../../../../../shared/filter/filter.ts";
import { type Field, findField } from "../../../../../shared/model/model.ts";
import { isReadOnly } from "../../../../../shared/model/recorded.ts";
import type { Transition } from "../../../../../shared/model/workflow.ts";
import { workflowMessages as messages } from "../../../messages/en/workflow.ts";
import { PickToAdd } from "../../../records/order/pick-to-add.tsx";
import { ErrorText } from "../../../ui/texts.ts";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { ValueInput } from "../parts/value-input.tsx";
import classes from "./workflow.module.css";

interface Props {
  transition: Transition;
  at(...path: (string | number)[]): string | undefined;
  onSets(sets: Record<string, Json> | undefined): void;
}

/** The values that the transition sets: a constant, its time, its author, or empty. */
export function TransitionSets({ transition, at, onSets }: Props) {
  const { table } = useTableEditor();
  const sets = transition.sets ?? {};
  const write = (next: Record<string, Json>) => onSets(Object.keys(next).length ? next : undefined);
  const remaining = table.fields.filter(
    (field) => field.name !== table.stateField && !isReadOnly(field) && !(field.name in sets),
  );
  return (
    <Stack component="fieldset" gap={8}>
      <legend>{messages.sets()}</legend>
      {Object.entries(sets).map(([name, value]) => (
        <div key={name} className={classes.set}>
          <SetValue
            name={name}
            field={findField(table, name)}
            value={value}
            onValue={(next) => write({ ...sets, [name]: next })}
          />
          <ActionIcon
            size="sm"
            aria-label={messages.removeSet({ field: findField(table, name)?.label ?? name })}
            onClick={() => {
              const { [name]: _, ...rest } = sets;
              write(rest);
            }}
          >
            <IconX size={15} />
          </ActionIcon>
          {at("sets", name) && <ErrorText>{at("sets", name)}</ErrorText>}
        </div>
      ))}
      {remaining.length > 0 && (
        <PickToAdd
          label={messages.setField()}
          choices={remaining}
          onPick={(name) => {
            const field = findField(table, name);
            if (field) write({ ...sets, [name]: firstValue(field) });
          }}
        />
      )}
    </Stack>
  );
}

function firstValue({ type }: Field): Json {
  if (type === "timestamp") return "$now";
  return type === "person" ? "$me" : null;
}

interface ValueProps {
  name: string;
  field: Field | undefined;
  value: Json;
  onValue(value: Json): void;
}

const kinds = {
  now: messages.currentTime,
  me: messages.currentUser,
  value: messages.fixedValue,
  empty: messages.emptyValue,
};

function SetValue({ name, field, value, onValue }: ValueProps) {
  if (!field) return <span className={classes.set}>{name}</span>;
  const kind =
    value === "$now" ? "now" : value === "$me" ? "me" : value === null ? "empty" : "value";
  const available = (Object.keys(kinds) as (keyof typeof kinds)[]).filter(
    (one) =>
      (one !== "now" || field.type === "timestamp") && (one !== "me" || field.type === "person"),
  );
  const initialValues: Record<keyof typeof kinds, Json> = {
    now: "$now",
    me: "$me",
    empty: null,
    value: "",
  };
  return (
    <>
      <NativeSelect
        size="xs"
        label={field.label}
        value={kind}
        data={available.map((one) => ({ value: one, label: kinds[one]() }))}
        onChange={(event) =>
          onValue(initialValues[event.currentTarget.value as keyof typeof kinds])
        }
      />
      {kind === "value" && (
        <ValueInput
          field={field}
          value={value === "" ? null : value}
          label={messages.valueForField({ field: field.label })}
          onValue={(next) => onValue(next ?? "")}
        />
      )}
    </>
  );
}
