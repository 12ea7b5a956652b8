import { ActionIcon, Menu, UnstyledButton } from "@mantine/core";
import {
  IconAlertTriangle,
  IconChevronRight,
  IconDots,
  IconGripVertical,
  IconTrash,
} from "@tabler/icons-react";
import { type Field, idOfField } from "../../../../../shared/model/model.ts";
import { toast } from "../../../ui/toast.tsx";
import { moved, removeField } from "../document/edit-model.ts";
import { useDraft } from "../draft/use-draft.tsx";
import { useTableDesk } from "../draft/use-table-desk.ts";
import { OrderButtons } from "../parts/order-buttons.tsx";
import type { useDragOrder } from "../parts/use-drag-order.ts";
import { fieldKinds, kindOfField } from "../words/field-kinds.ts";
import { FieldForm } from "./field-form.tsx";
import { FieldTypeIcon } from "./field-type-icon.tsx";
import classes from "./fields.module.css";

interface Props {
  field: Field;
  index: number;
  open: boolean;
  onOpen(open: boolean): void;
  drag: ReturnType<typeof useDragOrder>;
}

/** One field: what it is called and what it is, and under it, once opened, everything about it. */
export function FieldRow({ field, index, open, onOpen, drag }: Props) {
  const { table, change, countProblems } = useTableDesk();
  const problems = countProblems("fields", index);
  return (
    <li
      className={classes.row}
      data-open={open || undefined}
      data-dragged={drag.isDragged(index) || undefined}
      data-drop={drag.markOf(index, table.fields.length)}
    >
      <div className={classes.head}>
        <span
          className={classes.grip}
          title="Drag to another place"
          aria-hidden="true"
          onPointerDown={(event) => drag.start(event, index)}
        >
          <IconGripVertical size={16} />
        </span>
        <UnstyledButton
          className={classes.toggle ?? ""}
          aria-expanded={open}
          onClick={() => onOpen(!open)}
        >
          <IconChevronRight className={classes.chevron ?? ""} size={16} aria-hidden="true" />
          <FieldTypeIcon type={field.type} />
          <span className={classes.label}>{field.label || "Without a label"}</span>
          <span className={classes.type}>
            {typeInWords(field, table.display, table.stateField)}
          </span>
          {problems > 0 && (
            <span className={classes.flaw}>
              <IconAlertTriangle size={15} aria-hidden="true" />
              {problems === 1 ? "1 problem" : `${problems} problems`}
            </span>
          )}
        </UnstyledButton>
        <OrderButtons
          of={field.label}
          index={index}
          count={table.fields.length}
          onMove={(by) => change((one) => ({ ...one, fields: moved(one.fields, index, by) }))}
        />
        <FieldMenu field={field} />
      </div>
      {open && <FieldForm field={field} index={index} />}
    </li>
  );
}

function typeInWords(field: Field, display: string, stateField: string | undefined): string {
  const marks = [
    fieldKinds[kindOfField(field)].name,
    field.name === display && "names the record",
    field.name === stateField && "state",
    field.required && "required",
    field.unique && "unique",
  ];
  return marks.filter(Boolean).join(" · ");
}

function FieldMenu({ field }: { field: Field }) {
  const { change } = useTableDesk();
  const { store } = useDraft();
  const remove = () => {
    change((one) => removeField(one, idOfField(field)));
    toast(`${field.label} is taken out of the draft.`, () => store.undo());
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size="sm" aria-label={`More for ${field.label}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={remove}>
          Remove the field
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
