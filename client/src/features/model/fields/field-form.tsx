import { Stack, UnstyledButton } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import { type Field, idOfField } from "../../../../../shared/model/model.ts";
import { isReadOnly } from "../../../../../shared/model/recorded.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { type Rows, SettingsForm } from "../../../records/settings/settings.tsx";
import { changeField } from "../document/edit-model.ts";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { isOwnChoice } from "../labels/field-choices.ts";
import { UsedBy } from "../parts/used-by.tsx";
import { FieldPreview } from "./field-preview.tsx";
import {
  advancedRows,
  type FieldContext,
  kindRows,
  limitRows,
  sourceRows,
} from "./field-settings.tsx";
import classes from "./fields.module.css";

const look = {
  row: (count: number) => (count === 3 ? classes.triple : classes.pair),
  writesOn: "input",
} as const;

interface Props {
  field: Field;
  index: number;
  /** What it is first, and the rest on request: beside a grid, which shows the field itself. */
  isBrief?: boolean;
}

/** The settings of one field and its preview. */
export function FieldForm({ field, index, isBrief = false }: Props) {
  const { id: tableId, model, table, change, problem, countProblems } = useTableEditor();
  const [open, setOpen] = useState(false);
  const isFlawed = isBrief
    ? countProblems("fields", index) > 0
    : countProblems("fields", index, "name") + countProblems("fields", index, "indexed") > 0;
  const id = idOfField(field);
  const settings = (rows: Rows<Field, FieldContext>) => (
    <SettingsForm
      rows={rows}
      of={field}
      form={{ model, table, index }}
      look={look}
      edit={(update, tag) => change((one) => changeField(one, id, update), tag && `${id} ${tag}`)}
      problem={(...at) =>
        problem("fields", index, ...at) ??
        (at[0] === "type" ? problem("fields", index, "recorded") : undefined)
      }
    />
  );
  const rules = (
    <>
      {!isOwnChoice(field) && settings(sourceRows)}
      {!isReadOnly(field) && (
        <fieldset className={classes.limits}>
          <legend>{messages.limits()}</legend>
          {settings(limitRows)}
        </fieldset>
      )}
    </>
  );
  return (
    <div className={classes.form} data-brief={isBrief || undefined}>
      <Stack gap={16} miw={0}>
        {settings(kindRows)}
        {!isBrief && rules}
        <Stack gap={12}>
          <UnstyledButton
            className={classes.moreToggle ?? ""}
            aria-expanded={open || isFlawed}
            onClick={() => setOpen(!open)}
          >
            <IconChevronRight className={classes.chevron ?? ""} size={15} aria-hidden="true" />
            {isBrief ? messages.moreSettings() : messages.advanced()}
          </UnstyledButton>
          {(open || isFlawed) && isBrief && rules}
          {(open || isFlawed) && settings(advancedRows)}
        </Stack>
        <UsedBy table={tableId} field={id} />
      </Stack>
      {!isBrief && <FieldPreview field={field} />}
    </div>
  );
}
