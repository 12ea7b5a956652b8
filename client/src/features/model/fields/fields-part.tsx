import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useMemo, useRef, useState } from "react";
import { idOfField } from "../../../../../shared/model/model.ts";
import { toast } from "../../../ui/toast.tsx";
import { addField, changeTable, moved, movedTo, removeField } from "../document/edit-model.ts";
import { newId } from "../document/new-names.ts";
import { useDraft } from "../draft/use-draft.tsx";
import { useTableDesk } from "../draft/use-table-desk.ts";
import { useDragOrder } from "../parts/use-drag-order.ts";
import { FieldForm } from "./field-form.tsx";
import { FieldRow, type FieldRowDeeds, typeInWords } from "./field-row.tsx";
import classes from "./fields.module.css";

/** The fields of the open table, in their order; one at a time is open to be changed. */
export function FieldsPart() {
  const { id, table, change, problem, countProblems } = useTableDesk();
  const [open, setOpen] = useState<string | null>(null);
  const add = () => {
    const added = newId();
    change((one) => addField(one, added));
    setOpen(added);
  };
  const list = useRef<HTMLOListElement>(null);
  const { deeds, drop } = useDeeds(id, setOpen);
  const drag = useDragOrder(list, drop);
  const none = problem("fields");
  const count = table.fields.length;
  return (
    <section aria-label="Fields">
      <ol ref={list} className={classes.list}>
        {table.fields.map((field, index) => {
          const fieldId = idOfField(field);
          const isOpen = open === fieldId;
          return (
            <FieldRow
              key={fieldId}
              id={fieldId}
              label={field.label}
              type={field.type}
              words={typeInWords(field, table)}
              index={index}
              count={count}
              problems={countProblems("fields", index)}
              open={isOpen}
              dragged={drag.isDragged(index)}
              drop={drag.markOf(index, count)}
              onGrip={drag.start}
              deeds={deeds}
            >
              {isOpen && <FieldForm field={field} index={index} />}
            </FieldRow>
          );
        })}
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

/** What can be done with any field of the list: the same deeds for as long as the table is open. */
function useDeeds(table: string, setOpen: FieldRowDeeds["open"]) {
  const { store } = useDraft();
  return useMemo(() => {
    const change = (how: Parameters<typeof changeTable>[2]) =>
      store.edit((model) => changeTable(model, table, how));
    const deeds: FieldRowDeeds = {
      open: setOpen,
      move: (index, by) => change((one) => ({ ...one, fields: moved(one.fields, index, by) })),
      remove(id, label) {
        change((one) => removeField(one, id));
        toast(`${label} is taken out of the draft.`, () => store.undo());
      },
    };
    const drop = (from: number, to: number) =>
      change((one) => ({ ...one, fields: movedTo(one.fields, from, to) }));
    return { deeds, drop };
  }, [store, table, setOpen]);
}
