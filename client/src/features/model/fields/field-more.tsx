import { Stack, Switch, UnstyledButton } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import { fieldNameProblem, foldName } from "../../../../../shared/model/check-name.ts";
import { hasProperty } from "../../../../../shared/model/field-types.ts";
import { type Field, idOfField } from "../../../../../shared/model/model.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { explanationText } from "../../../messages/error-text.ts";
import { renameField } from "../document/edit-model.ts";
import { useDraft } from "../draft/use-draft.tsx";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { CommitInput } from "../parts/commit-input.tsx";
import { NumberInput } from "../parts/number-input.tsx";
import classes from "./fields.module.css";

interface Props {
  field: Field;
  index: number;
}

/** Advanced settings: technical name, index, column. */
export function FieldMore({ field, index }: Props) {
  const { id, table, patch, patchField, problem, countProblems } = useTableEditor();
  const { edit } = useDraft();
  const flawed =
    countProblems("fields", index, "name") + countProblems("fields", index, "indexed") > 0;
  const [open, setOpen] = useState(false);
  const others = table.fields.filter((one) => one !== field).map(({ name }) => foldName(name));
  const isColumn = table.columns.includes(field.name);
  return (
    <Stack gap={12}>
      <UnstyledButton
        className={classes.moreToggle ?? ""}
        aria-expanded={open || flawed}
        onClick={() => setOpen(!open)}
      >
        <IconChevronRight className={classes.chevron ?? ""} size={15} aria-hidden="true" />
        {messages.advanced()}
      </UnstyledButton>
      {(open || flawed) && (
        <div className={classes.pair}>
          <CommitInput
            label={messages.technicalName()}
            description={messages.fieldNameText()}
            value={field.name}
            error={problem("fields", index, "name")}
            validate={(name) => {
              if (name === "") return messages.nameRequired();
              if (others.includes(foldName(name))) return messages.fieldExists({ name });
              const found = fieldNameProblem(name);
              return found && explanationText(found);
            }}
            onCommit={(name) => edit((model) => renameField(model, id, idOfField(field), name))}
          />
          <NumberInput
            label={messages.columnWidth()}
            description={messages.columnWidthText()}
            value={field.width}
            error={problem("fields", index, "width")}
            onValue={(width) => patchField(field, { width }, "width")}
          />
          <Switch
            label={messages.defaultColumn()}
            description={messages.defaultColumnText()}
            checked={isColumn}
            onChange={(event) => {
              const columns = table.columns.filter((name) => name !== field.name);
              patch({ columns: event.currentTarget.checked ? [...columns, field.name] : columns });
            }}
          />
          {(hasProperty(field.type, "indexed") || field.indexed) && (
            <Switch
              label={messages.indexed()}
              description={messages.indexedText()}
              checked={field.indexed ?? false}
              error={problem("fields", index, "indexed")}
              onChange={(event) =>
                patchField(field, { indexed: event.currentTarget.checked || undefined })
              }
            />
          )}
        </div>
      )}
    </Stack>
  );
}
