import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useCallback, useRef, useState } from "react";
import { idOfField } from "../../../../../shared/model/model.ts";
import { addField, changeTable, movedTo } from "../document/edit-model.ts";
import { newId } from "../document/new-names.ts";
import { useDraft } from "../draft/use-draft.tsx";
import { useTableDesk } from "../draft/use-table-desk.ts";
import { useDragOrder } from "../parts/use-drag-order.ts";
import { FieldRow } from "./field-row.tsx";
import classes from "./fields.module.css";

/** The fields of the open table, in their order; one at a time is open to be changed. */
export function FieldsPart() {
  const { id, table, change, problem } = useTableDesk();
  const [open, setOpen] = useState<string | null>(null);
  const add = () => {
    const added = newId();
    change((one) => addField(one, added));
    setOpen(added);
  };
  const list = useRef<HTMLOListElement>(null);
  const { edit } = useDraft();
  const drop = useCallback(
    (from: number, to: number) =>
      edit((model) =>
        changeTable(model, id, (one) => ({ ...one, fields: movedTo(one.fields, from, to) })),
      ),
    [edit, id],
  );
  const drag = useDragOrder(list, drop);
  const none = problem("fields");
  return (
    <section aria-label="Fields">
      <ol ref={list} className={classes.list}>
        {table.fields.map((field, index) => (
          <FieldRow
            key={idOfField(field)}
            field={field}
            index={index}
            drag={drag}
            open={open === idOfField(field)}
            onOpen={(isOpen) => setOpen(isOpen ? idOfField(field) : null)}
          />
        ))}
      </ol>
      {none && <p className={classes.problem}>{none}</p>}
      <Button
        mt="md"
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden="true" />}
        onClick={add}
      >
        Add a field
      </Button>
    </section>
  );
}
