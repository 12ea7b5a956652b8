import { ActionIcon, Group, NativeSelect } from "@mantine/core";
import { randomId } from "@mantine/hooks";
import { IconX } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import type { Filter } from "../../../../shared/filter/filter.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { filterMessages as messages } from "../../messages/en/filter.ts";
import { AddButton } from "../../ui/add-button.tsx";
import { FieldList, type OfferedCondition } from "./field-list.tsx";
import classes from "./filter-builder.module.css";
import { FilterRowEditor } from "./filter-row-editor.tsx";
import { type FilterRow, operatorsFor } from "./filter-rows.ts";
import {
  type FilterGroup,
  type FilterPart,
  fromFilter,
  type GroupMode,
  isGroup,
} from "./filter-tree.ts";
import type { OfferedOperands } from "./operand-kinds.ts";

interface Props {
  group: FilterGroup;
  fields: readonly Field[];
  operands: OfferedOperands;
  /** How many groups contain this one. */
  depth: number;
  /** It begins with the list of fields while it has no condition. */
  begins?: Begins | undefined;
  onChange(group: FilterGroup): void;
  /** Absent for the outermost group. */
  onRemove?: () => void;
}

/** What the list of fields offers besides. */
export interface Begins {
  offered: OfferedCondition | null;
}

/** Deeper nesting is shown, but not offered. */
const OFFERED_DEPTH = 2;

const groupModes = () => [
  { value: "all", label: messages.matchAll() },
  { value: "any", label: messages.matchAny() },
  { value: "none", label: messages.matchNone() },
];

/** A group of conditions and groups. Its mode is offered once it has two parts. */
export function FilterGroupEditor(props: Props) {
  const { group, fields, depth, onChange, onRemove } = props;
  const { parts, mode } = group;
  const change = (next: FilterPart[]) => onChange({ ...group, parts: next });
  const replace = (part: FilterPart) =>
    change(parts.map((one) => (one.id === part.id ? part : one)));
  const remove = (part: FilterPart) => change(parts.filter((one) => one.id !== part.id));
  const rows = useRef<HTMLDivElement>(null);
  const [begun, setBegun] = useState(0);
  // The value of the field that was chosen comes next, each time that the filter begins.
  useEffect(() => {
    if (begun > 0) rows.current?.querySelector("input")?.focus();
  }, [begun]);
  if (props.begins && depth === 0 && parts.length === 0) {
    const begin = (field: Field) => {
      change([rowOf(field)]);
      setBegun(begun + 1);
    };
    const { offered } = props.begins;
    const take = (filter: Filter) => {
      change(fromFilter(filter)?.parts ?? []);
      setBegun(begun + 1);
    };
    return <FieldList {...{ fields, offered }} onPick={begin} onOffered={take} />;
  }
  const showsMode = parts.length > 1 || mode !== "all" || depth > 0;
  return (
    <div ref={rows} className={classes.panel} data-nested={depth > 0 || undefined}>
      {showsMode && (
        <Group gap={6} justify="space-between" wrap="nowrap">
          <NativeSelect
            size="xs"
            aria-label={messages.groupMode()}
            value={mode}
            data={groupModes()}
            onChange={(event) =>
              onChange({ ...group, mode: event.currentTarget.value as GroupMode })
            }
          />
          {onRemove && (
            <ActionIcon size="sm" aria-label={messages.removeGroup()} onClick={onRemove}>
              <IconX size={15} />
            </ActionIcon>
          )}
        </Group>
      )}
      {parts.map((part) =>
        isGroup(part) ? (
          <FilterGroupEditor
            {...props}
            key={part.id}
            group={part}
            depth={depth + 1}
            onChange={replace}
            onRemove={() => remove(part)}
          />
        ) : (
          <FilterRowEditor
            {...props}
            key={part.id}
            row={part}
            onChange={replace}
            onRemove={() => remove(part)}
          />
        ),
      )}
      <Group gap={8} align="stretch">
        <Add
          label={messages.addCondition()}
          onClick={() => change([...parts, newRow(parts, fields)])}
        />
        {parts.length > 0 && depth < OFFERED_DEPTH && (
          <Add
            label={messages.addGroup()}
            onClick={() =>
              change([...parts, { id: randomId(), mode: "any", parts: [newRow([], fields)] }])
            }
          />
        )}
      </Group>
    </div>
  );
}

function Add({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <AddButton variant="subtle" size="compact-sm" onClick={onClick}>
      {label}
    </AddButton>
  );
}

function newRow(parts: readonly FilterPart[], fields: readonly Field[]): FilterRow {
  const used = new Set(parts.map((part) => (isGroup(part) ? "" : part.field)));
  const field = fields.find((one) => !used.has(one.name)) ?? fields[0];
  return field ? rowOf(field) : { id: randomId(), field: "id", operator: "eq", value: null };
}

function rowOf(field: Field): FilterRow {
  const [operator = "filled"] = operatorsFor(field);
  return { id: randomId(), field: field.name, operator, value: null };
}
