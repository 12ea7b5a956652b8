import { NativeSelect, Stack, Textarea, TextInput } from "@mantine/core";
import { type Field, idOfField } from "../../../../../shared/model/model.ts";
import { isReadOnly } from "../../../../../shared/model/recorded.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { renameField } from "../document/edit-model.ts";
import { isNew, nameFor } from "../document/new-names.ts";
import { useDraft } from "../draft/use-draft.tsx";
import { useTableEditor } from "../draft/use-table-editor.ts";
import {
  choiceGroups,
  choiceOfField,
  chooseField,
  type FieldChoice,
  fieldChoices,
  isOwnChoice,
} from "../labels/field-choices.ts";
import { selectOnce } from "../select-once.ts";
import { FieldDetails } from "./field-details.tsx";
import { FieldLimits } from "./field-limits.tsx";
import { FieldMore } from "./field-more.tsx";
import { FieldPreview } from "./field-preview.tsx";
import { FieldSource } from "./field-source.tsx";
import classes from "./fields.module.css";

const kindChoices = () =>
  choiceGroups.map(({ group, choices }) => ({
    group: group(),
    items: choices.map((choice) => ({ value: choice, label: fieldChoices[choice].name() })),
  }));

/** The settings of one field and its preview. */
export function FieldForm({ field, index }: { field: Field; index: number }) {
  const { patchField, problem } = useTableEditor();
  const props = { field, index };
  return (
    <div className={classes.form}>
      <Stack gap={16} miw={0}>
        <div className={classes.pair}>
          <FieldLabel {...props} />
          <TypeChoice {...props} />
        </div>
        <Textarea
          label={messages.help()}
          description={messages.fieldHelpText()}
          autosize
          minRows={1}
          value={field.help ?? ""}
          error={problem("fields", index, "help")}
          onChange={(event) =>
            patchField(field, { help: event.currentTarget.value || undefined }, "help")
          }
        />
        <FieldDetails {...props} />
        {!isOwnChoice(field) && <FieldSource {...props} />}
        {!isReadOnly(field) && <FieldLimits {...props} />}
        <FieldMore {...props} />
      </Stack>
      <FieldPreview field={field} />
    </div>
  );
}

function FieldLabel({ field, index }: { field: Field; index: number }) {
  const { id, table, patchField, problem } = useTableEditor();
  const { edit } = useDraft();
  const others = table.fields.filter((one) => one !== field).map(({ name }) => name);
  const write = (label: string) => {
    const follows = isNew(field.id) && field.name === nameFor(field.label, others, "field");
    patchField(field, { label }, "label");
    if (!follows) return;
    const name = nameFor(label, others, "field");
    edit((model) => renameField(model, id, idOfField(field), name), `${id} ${field.id} label`);
  };
  return (
    <TextInput
      label={messages.label()}
      value={field.label}
      autoComplete="off"
      error={problem("fields", index, "label")}
      ref={isNew(field.id) ? selectOnce : undefined}
      onChange={(event) => write(event.currentTarget.value)}
    />
  );
}

function TypeChoice({ field, index }: { field: Field; index: number }) {
  const { model, table, change, problem } = useTableEditor();
  const isState = table.stateField === field.name && table.workflow !== undefined;
  return (
    <NativeSelect
      label={messages.type()}
      value={choiceOfField(field)}
      disabled={isState}
      description={
        isState ? messages.workflowNeedsChoice() : fieldChoices[choiceOfField(field)].hint()
      }
      inputWrapperOrder={["label", "input", "description", "error"]}
      error={problem("fields", index, "type") ?? problem("fields", index, "recorded")}
      data={kindChoices()}
      onChange={(event) => {
        const kind = event.currentTarget.value as FieldChoice;
        change((one) => ({
          ...one,
          fields: one.fields.map((was) =>
            idOfField(was) === idOfField(field) ? chooseField(was, kind, model) : was,
          ),
        }));
      }}
    />
  );
}
