import { ActionIcon, NativeSelect } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { type Field, findField, kindOfType } from "../../../../../shared/model/model.ts";
import { useTableDesk } from "../draft/use-table-desk.ts";
import { PickToAdd } from "../parts/pick-to-add.tsx";
import classes from "./tables.module.css";

/** The order of the records before anybody sorts them: the first field decides, then the next. */
export function SortEditor() {
  const { table, change, problem } = useTableDesk();
  const { sort } = table;
  const named = sort.map((key) => key.replace(/^-/, ""));
  const left = table.fields.filter((field) => isSortable(field) && !named.includes(field.name));
  const set = (next: string[]) => change((one) => ({ ...one, sort: next }));
  return (
    <fieldset className={classes.part}>
      <legend>Order of the records</legend>
      {sort.length === 0 && <p className={classes.hint}>In the order of their ids.</p>}
      <ol className={classes.lines}>
        {sort.map((key, index) => {
          const name = key.replace(/^-/, "");
          const label = findField(table, name)?.label ?? name;
          return (
            <li key={name} className={classes.line}>
              <span className={classes.lineText}>
                {index > 0 && "then "}
                {label}
              </span>
              <NativeSelect
                size="xs"
                aria-label={`Direction of ${label}`}
                value={key.startsWith("-") ? "-" : ""}
                data={[
                  { value: "", label: "ascending" },
                  { value: "-", label: "descending" },
                ]}
                onChange={(event) => {
                  const turned = event.currentTarget.value + name;
                  set(sort.map((one) => (one === key ? turned : one)));
                }}
              />
              <ActionIcon
                size="sm"
                aria-label={`Don't sort by ${label}`}
                onClick={() => set(sort.filter((one) => one !== key))}
              >
                <IconX size={15} />
              </ActionIcon>
              {problem("sort", index) && (
                <span className={classes.problem}>{problem("sort", index)}</span>
              )}
            </li>
          );
        })}
      </ol>
      {left.length > 0 && (
        <PickToAdd
          width={220}
          label="Sort by"
          choices={left}
          onPick={(name) => set([...sort, name])}
        />
      )}
    </fieldset>
  );
}

function isSortable({ type }: Field): boolean {
  return kindOfType[type] !== "json" && kindOfType[type] !== "list";
}
