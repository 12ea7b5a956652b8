import { Stack } from "@mantine/core";
import type { Table, Values } from "../../../../shared/model/model.ts";
import { isSameValue } from "../fields/same-value.ts";
import { ValueChange } from "../fields/value-change.tsx";
import classes from "./change-sets.module.css";

interface Props {
  table: Table;
  /** Null for a record that is added. */
  before: Readonly<Values> | null;
  /** Null for a record that is deleted. */
  after: Readonly<Values> | null;
  /** Fields whose values were erased for good. */
  erased?: readonly string[] | undefined;
}

/** The cells of one record that a change writes: before and after. Fields that the database fills by itself are left out. */
export function DiffCells({ table, before, after, erased = [] }: Props) {
  const shown = table.fields.filter(({ name, recorded }) => {
    const [from, to] = [before?.[name] ?? null, after?.[name] ?? null];
    const isNamed = Object.hasOwn(before ?? {}, name) || Object.hasOwn(after ?? {}, name);
    const isEmpty = isSameValue(from, null) && isSameValue(to, null);
    return recorded === undefined && isNamed && (!isEmpty || erased.includes(name));
  });
  if (shown.length === 0) return null;
  return (
    <Stack component="dl" gap={4} fz="sm" m={0}>
      {shown.map((field) => (
        <div key={field.name} className={classes.cell}>
          <dt>{field.label}</dt>
          <dd>
            <ValueChange
              field={field}
              before={before ? (before[field.name] ?? null) : undefined}
              after={after ? (after[field.name] ?? null) : undefined}
              isErased={erased.includes(field.name)}
            />
          </dd>
        </div>
      ))}
    </Stack>
  );
}
