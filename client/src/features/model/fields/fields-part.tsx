import { Stack } from "@mantine/core";
import { useEffect, useMemo, useRef, useState } from "react";
import { idOfField, idOfTable } from "../../../../../shared/model/model.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { moveItem, moveItemTo } from "../../../records/order/move-item.ts";
import { useDragOrder } from "../../../records/order/use-drag-order.ts";
import { rest } from "../../../transport/rest/rest.ts";
import { AddButton } from "../../../ui/add-button.tsx";
import { toast } from "../../../ui/toast.tsx";
import { useRemote } from "../../../ui/use-remote.ts";
import { addField, changeTable, removeField } from "../document/edit-model.ts";
import { newId } from "../document/new-names.ts";
import { useDraft } from "../draft/use-draft.tsx";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { Problem } from "../parts/problem.tsx";
import { FieldForm } from "./field-form.tsx";
import { FieldRow, type FieldRowActions, fieldKind, fieldSummary } from "./field-row.tsx";
import classes from "./fields.module.css";

/** The fields of the open table, in order; one at a time is open. */
export function FieldsPart() {
  const { id, table, change, countProblems } = useTableEditor();
  const [open, setOpen] = useState<string | null>(null);
  const [added, setAdded] = useState<string | null>(null);
  const add = () => {
    const field = newId();
    change((one) => addField(one, field));
    setOpen(field);
    setAdded(field);
  };
  const list = useRef<HTMLDivElement>(null);
  // It is the last one, which may be out of view.
  useEffect(() => {
    if (added === null) return;
    const last = list.current?.lastElementChild;
    last?.scrollIntoView({ block: "nearest" });
    last?.querySelector("input")?.focus();
  }, [added]);
  const { actions, drop } = useFieldActions(id, setOpen);
  const drag = useDragOrder(list, drop);
  const count = table.fields.length;
  const usesOf = useUseCounts(id);
  return (
    <section aria-label={messages.fields()}>
      <AddButton mb="md" variant="default" onClick={add}>
        {messages.addField()}
      </AddButton>
      <Stack ref={list} component="ol" gap={0} className={classes.list ?? ""}>
        {table.fields.map((field, index) => {
          const fieldId = idOfField(field);
          const isOpen = open === fieldId;
          return (
            <FieldRow
              key={fieldId}
              id={fieldId}
              label={field.label}
              type={field.type}
              kind={fieldKind(field)}
              summary={fieldSummary(field, table)}
              index={index}
              count={count}
              problems={countProblems("fields", index)}
              uses={usesOf(fieldId)}
              open={isOpen}
              dragged={drag.isDragged(index)}
              drop={drag.markOf(index, count)}
              onGrip={drag.start}
              actions={actions}
              table={id}
            >
              {isOpen && <FieldForm field={field} index={index} />}
            </FieldRow>
          );
        })}
      </Stack>
      <Problem at={["fields"]} />
    </section>
  );
}

/** How many uses the fields of a table have, by their id: under the names that are published, as nothing uses what is not. */
function useUseCounts(id: string): (field: string) => number | null {
  const { base } = useDraft();
  const table = base.tables.find((one) => idOfTable(one) === id);
  const { data } = useRemote(
    async () =>
      table ? await rest("GET /model/uses/counts", { query: { table: table.name } }) : null,
    { key: `${base.version} ${table?.name}`, on: ["views", "wallboard"] },
  );
  const counts = new Map(data?.items.map(({ field, count }) => [field, count]));
  return (field) => {
    const published = table?.fields.find((one) => idOfField(one) === field);
    return (published && counts.get(published.name)) ?? null;
  };
}

/** The actions on fields; stable while the table is open. */
function useFieldActions(table: string, setOpen: FieldRowActions["open"]) {
  const { store } = useDraft();
  return useMemo(() => {
    const change = (update: Parameters<typeof changeTable>[2]) =>
      store.edit((model) => changeTable(model, table, update));
    const actions: FieldRowActions = {
      open: setOpen,
      move: (index, by) => change((one) => ({ ...one, fields: moveItem(one.fields, index, by) })),
      remove(id, label) {
        const undo = change((one) => removeField(one, id));
        toast(messages.removedFromDraft({ name: label }), undo);
      },
    };
    const drop = (from: number, to: number) =>
      change((one) => ({ ...one, fields: moveItemTo(one.fields, from, to) }));
    return { actions, drop };
  }, [store, table, setOpen]);
}
