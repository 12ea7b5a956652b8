import { ActionIcon, NativeSelect } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { type Field, findField, kindOfType } from "../../../../../shared/model/model.ts";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { PickToAdd } from "../parts/pick-to-add.tsx";
import classes from "./tables.module.css";

/** The order of the records before anybody sorts them: the first field decides, then the next. */
export function SortEditor() {
  const { table, change, problem } = useTableEditor();
  const { sort } = table;
  const sortedNames = sort.map((key) => key.replace(/^-/, ""));
  const remaining = table.fields.filter(
    (field) => isSortable(field) && !sortedNames.includes(field.name),
  );
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
                  const newKey = event.currentTarget.value + name;
                  set(sort.map((one) => (one === key ? newKey : one)));
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
      {remaining.length > 0 && (
        <PickToAdd
          width={220}
          label="Sort by"
          choices={remaining}
          onPick={(name) => set([...sort, name])}
        />
      )}
    </fieldset>
  );
}

function isSortable({ type }: Field): boolean {
  return kindOfType[type] !== "json" && kindOfType[type] !== "list";
}
