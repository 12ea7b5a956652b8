import { Button, NativeSelect, Textarea } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useLocation } from "wouter";
import { foldName, tableNameProblem } from "../../../../../shared/model/check-name.ts";
import { kindOfType } from "../../../../../shared/model/model.ts";
import { toast } from "../../../ui/toast.tsx";
import { MODEL } from "../addresses.ts";
import { removeTable, renameTable } from "../document/edit-model.ts";
import { useDraft } from "../draft/use-draft.tsx";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { CommitInput } from "../parts/commit-input.tsx";
import { ColumnsEditor } from "./columns-editor.tsx";
import { SortEditor } from "./sort-editor.tsx";
import classes from "./tables.module.css";

/** What the table as a whole has: what names its records, what is shown first, and how to be rid of it. */
export function TableSettings() {
  const { id, table, model, patch, problem } = useTableEditor();
  const { edit } = useDraft();
  const fields = table.fields.map(({ name, label }) => ({ value: name, label }));
  const texts = table.fields.filter(({ type }) => kindOfType[type] === "text");
  const others = model.tables.filter((one) => one !== table).map(({ name }) => foldName(name));
  return (
    <div className={classes.settings}>
      <Textarea
        label="Help"
        description="What the table is for, in a sentence."
        autosize
        minRows={1}
        value={table.help ?? ""}
        error={problem("help")}
        onChange={(event) => patch({ help: event.currentTarget.value || undefined }, "help")}
      />
      <div className={classes.pair}>
        <NativeSelect
          label="Field that names a record"
          description="Shown in links and headings."
          value={table.display}
          data={[...fields, { value: "id", label: "Its id" }]}
          error={problem("display")}
          onChange={(event) => patch({ display: event.currentTarget.value })}
        />
        <NativeSelect
          label="A record's id"
          description="What stands for it in addresses and in other programs."
          value={table.idFrom ?? ""}
          data={[
            { value: "", label: "Made up, never the same twice" },
            ...texts.map(({ name, label }) => ({ value: name, label: `Taken from ${label}` })),
          ]}
          error={problem("idFrom")}
          onChange={(event) => patch({ idFrom: event.currentTarget.value || undefined })}
        />
        <CommitInput
          label="Technical name"
          description="In addresses, imports and the database."
          value={table.name}
          error={problem("name")}
          validate={(name) => {
            if (name === "") return "A table needs a name.";
            if (others.includes(foldName(name))) return `There is a table “${name}” already.`;
            return tableNameProblem(name);
          }}
          onCommit={(name) => edit((draft) => renameTable(draft, id, name))}
        />
      </div>
      <ColumnsEditor />
      <SortEditor />
      <RemoveTable />
    </div>
  );
}

function RemoveTable() {
  const { id, table } = useTableEditor();
  const { edit, store } = useDraft();
  const [, navigate] = useLocation();
  const remove = () => {
    navigate(MODEL);
    edit((model) => removeTable(model, id));
    toast(`${table.label} is taken out of the draft.`, () => store.undo());
  };
  return (
    <div>
      <Button
        variant="default"
        c="var(--wf-bad)"
        leftSection={<IconTrash size={16} aria-hidden="true" />}
        onClick={remove}
      >
        Remove the table
      </Button>
      <p className={classes.hint}>Nothing is lost before you save, and then you are asked.</p>
    </div>
  );
}
