import { TextInput } from "@mantine/core";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { renameTable } from "../document/edit-model.ts";
import { isNew, nameFor } from "../document/new-names.ts";
import { useDraft } from "../draft/use-draft.tsx";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { selectOnce } from "../select-once.ts";
import classes from "./tables.module.css";

/** The table's label and singular name. A new table's technical name is derived from its label. */
export function TableHead() {
  const { id, table, model, patch, problem } = useTableEditor();
  const { edit } = useDraft();
  const others = model.tables.filter((one) => one !== table).map(({ name }) => name);
  const write = (label: string) => {
    const followsLabel = isNew(table.id) && table.name === nameFor(table.label, others, "table");
    const hasDefaultRecordLabel =
      table.recordLabel === "record" || table.recordLabel === singular(table.label);
    const recordLabel = followsLabel && hasDefaultRecordLabel ? singular(label) : table.recordLabel;
    patch({ label, recordLabel }, "label");
    if (!followsLabel) return;
    edit((draft) => renameTable(draft, id, nameFor(label, others, "table")), `${id} label`);
  };
  return (
    <div className={classes.head}>
      <TextInput
        key={id}
        label={messages.table()}
        value={table.label}
        autoComplete="off"
        error={problem("label")}
        ref={isNew(table.id) ? selectOnce : undefined}
        onChange={(event) => write(event.currentTarget.value)}
      />
      <TextInput
        label={messages.recordLabel()}
        value={table.recordLabel}
        autoComplete="off"
        error={problem("recordLabel")}
        onChange={(event) => patch({ recordLabel: event.currentTarget.value }, "recordLabel")}
      />
    </div>
  );
}

/** Guesses the English singular as an initial value: "Customers" gives "customer". */
function singular(label: string): string {
  const word = label.trim().toLowerCase();
  if (word === "") return "record";
  return word.replace(/ies$/, "y").replace(/(?<!s)s$/, "");
}
