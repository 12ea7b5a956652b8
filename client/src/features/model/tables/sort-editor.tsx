import { ActionIcon, NativeSelect } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { type Field, findField, kindOfType } from "../../../../../shared/model/model.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { PickToAdd } from "../parts/pick-to-add.tsx";
import classes from "./tables.module.css";

/** The default sort order of a table's records. */
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
      <legend>{messages.sort()}</legend>
      {sort.length === 0 && <p className={classes.hint}>{messages.sortById()}</p>}
      <ol className={classes.lines}>
        {sort.map((key, index) => {
          const name = key.replace(/^-/, "");
          const label = findField(table, name)?.label ?? name;
          return (
            <li key={name} className={classes.line}>
              <span className={classes.lineText}>
                {index > 0 ? messages.thenBy({ field: label }) : label}
              </span>
              <NativeSelect
                size="xs"
                aria-label={messages.directionOf({ field: label })}
                value={key.startsWith("-") ? "-" : ""}
                data={[
                  { value: "", label: messages.ascending() },
                  { value: "-", label: messages.descendingOrder() },
                ]}
                onChange={(event) => {
                  const newKey = event.currentTarget.value + name;
                  set(sort.map((one) => (one === key ? newKey : one)));
                }}
              />
              <ActionIcon
                size="sm"
                aria-label={messages.removeSort({ field: label })}
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
          label={messages.sortBy()}
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
