import { NativeSelect, Stack, Textarea } from "@mantine/core";
import { useLocation } from "wouter";
import { foldName, tableNameProblem } from "../../../../../shared/model/check-name.ts";
import { kindOfType } from "../../../../../shared/model/field-types.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { explanationText } from "../../../messages/error-text.ts";
import { SortKeys } from "../../../records/order/sort-keys.tsx";
import { noFill } from "../../../ui/no-fill.ts";
import { RemoveButton } from "../../../ui/remove-button.tsx";
import { Hint } from "../../../ui/texts.ts";
import { toast } from "../../../ui/toast.tsx";
import { MODEL } from "../addresses.ts";
import { removeTable, renameTable } from "../document/edit-model.ts";
import { useDraft } from "../draft/use-draft.tsx";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { CommitInput } from "../parts/commit-input.tsx";
import { UsedBy } from "../parts/used-by.tsx";
import { ColumnsEditor } from "./columns-editor.tsx";
import classes from "./tables.module.css";

/** Settings of the whole table: display field, id, default columns and sort order, and removing the table. */
export function TableSettings() {
  const { id, table, model, patch, problem } = useTableEditor();
  const { edit } = useDraft();
  const fields = table.fields.map(({ name, label }) => ({ value: name, label }));
  const texts = table.fields.filter(({ type }) => kindOfType[type] === "text");
  const others = model.tables.filter((one) => one !== table).map(({ name }) => foldName(name));
  return (
    <Stack gap={24} maw={760}>
      <Textarea
        {...noFill}
        label={messages.help()}
        description={messages.helpText()}
        autosize
        minRows={1}
        value={table.help ?? ""}
        error={problem("help")}
        onChange={(event) => patch({ help: event.currentTarget.value || undefined }, "help")}
      />
      <div className={classes.pair}>
        <NativeSelect
          label={messages.display()}
          description={messages.displayText()}
          value={table.display}
          data={[...fields, { value: "id", label: messages.itsId() }]}
          error={problem("display")}
          onChange={(event) => patch({ display: event.currentTarget.value })}
        />
        <NativeSelect
          label={messages.recordIdSource()}
          description={messages.recordIdText()}
          value={table.idFrom ?? ""}
          data={[
            { value: "", label: messages.randomId() },
            ...texts.map(({ name, label }) => ({
              value: name,
              label: messages.idFrom({ field: label }),
            })),
          ]}
          error={problem("idFrom")}
          onChange={(event) => patch({ idFrom: event.currentTarget.value || undefined })}
        />
        <CommitInput
          label={messages.technicalName()}
          description={messages.technicalNameText()}
          value={table.name}
          error={problem("name")}
          validate={(name) => {
            if (name === "") return messages.nameRequired();
            if (others.includes(foldName(name))) return messages.tableExists({ name });
            const found = tableNameProblem(name);
            return found && explanationText(found);
          }}
          onCommit={(name) => edit((draft) => renameTable(draft, id, name))}
        />
      </div>
      <ColumnsEditor />
      <Stack component="fieldset" gap={8}>
        <legend>{messages.sort()}</legend>
        <SortKeys
          fields={table.fields}
          sort={table.sort}
          problem={(index) => problem("sort", index)}
          onSort={(sort) => patch({ sort })}
        />
      </Stack>
      <RemoveTable />
    </Stack>
  );
}

function RemoveTable() {
  const { id, table } = useTableEditor();
  const { edit } = useDraft();
  const [, navigate] = useLocation();
  const remove = () => {
    navigate(MODEL);
    const undo = edit((model) => removeTable(model, id));
    toast(messages.removedFromDraft({ name: table.label }), undo);
  };
  return (
    <div>
      <UsedBy table={id} />
      <RemoveButton mt={12} onClick={remove}>
        {messages.removeTable()}
      </RemoveButton>
      <Hint mt={6}>{messages.removeTableText()}</Hint>
    </div>
  );
}
