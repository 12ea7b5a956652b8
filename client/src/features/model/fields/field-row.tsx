import { Group, Menu, UnstyledButton } from "@mantine/core";
import {
  IconAlertTriangle,
  IconChevronRight,
  IconGripVertical,
  IconTrash,
} from "@tabler/icons-react";
import { memo, type PointerEvent, type ReactNode } from "react";
import type { FieldType } from "../../../../../shared/model/field-types.ts";
import type { Field, Table } from "../../../../../shared/model/model.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { modelLabelMessages as labelMessages } from "../../../messages/en/model-labels.ts";
import { uiMessages } from "../../../messages/en/ui.ts";
import order from "../../../records/order/order.module.css";
import { OrderButtons } from "../../../records/order/order-buttons.tsx";
import { ActionsMenu } from "../../../ui/actions-menu.tsx";
import { Hint } from "../../../ui/texts.ts";
import { choiceOfField, fieldChoices } from "../labels/field-choices.ts";
import { UseCountButton } from "../parts/used-by.tsx";
import { FieldTypeIcon } from "./field-type-icon.tsx";
import classes from "./fields.module.css";

/** The actions on a field of the list, by field id. */
export interface FieldRowActions {
  open(id: string | null): void;
  move(index: number, by: -1 | 1): void;
  remove(id: string, label: string): void;
}

/** Only primitive values and stable functions, so that typing in one field does not render the others. */
interface Props {
  id: string;
  label: string;
  type: FieldType;
  /** What kind of field it is, and what is special about it. */
  kind: string;
  summary: string;
  index: number;
  count: number;
  problems: number;
  /** How many uses it has; null before that is known, and for a field that nothing can use yet. */
  uses: number | null;
  open: boolean;
  dragged: boolean;
  drop: "above" | "below" | undefined;
  onGrip(event: PointerEvent, index: number): void;
  actions: FieldRowActions;
  /** The identity of its table. */
  table: string;
  /** The settings of the field, if it is open. */
  children: ReactNode;
}

/** One field: label and type, and its settings once opened. */
export const FieldRow = memo(function FieldRow(props: Props) {
  const { id, label, index, problems, uses, open, actions } = props;
  return (
    <li
      className={`${order.draggable} ${classes.row}`}
      data-open={open || undefined}
      data-dragged={props.dragged || undefined}
      data-drop={props.drop}
    >
      <Group gap={2} wrap="nowrap" pe={8}>
        <span
          className={`${order.grip} ${classes.grip}`}
          title={uiMessages.dragToReorder()}
          aria-hidden="true"
          onPointerDown={(event) => props.onGrip(event, index)}
        >
          <IconGripVertical size={16} />
        </span>
        <UnstyledButton
          className={classes.toggle ?? ""}
          aria-expanded={open}
          onClick={() => actions.open(open ? null : id)}
        >
          <IconChevronRight className={classes.chevron ?? ""} size={16} aria-hidden="true" />
          <FieldTypeIcon type={props.type} />
          <span className={classes.facts}>
            <span className={classes.label}>{label || messages.noLabel()}</span>
            <Hint span>{props.kind}</Hint>
            <Hint span>
              {props.summary}
              {problems > 0 && (
                <span className={classes.flaw}>
                  <IconAlertTriangle size={15} aria-hidden="true" />
                  {messages.problems({ count: problems })}
                </span>
              )}
            </Hint>
          </span>
        </UnstyledButton>
        <span className={classes.uses}>
          {uses !== null && uses > 0 && (
            <UseCountButton table={props.table} field={id} label={label} count={uses} />
          )}
        </span>
        <span className={classes.order}>
          <OrderButtons
            of={label}
            index={index}
            count={props.count}
            onMove={(by) => actions.move(index, by)}
          />
        </span>
        <ActionsMenu label={messages.moreFor({ field: label })} size={24}>
          <Menu.Item
            color="var(--wf-bad)"
            leftSection={<IconTrash size={16} />}
            onClick={() => actions.remove(id, label)}
          >
            {messages.removeField()}
          </Menu.Item>
        </ActionsMenu>
      </Group>
      {props.children}
    </li>
  );
});

/** What kind of field it is. */
export function fieldKind(field: Field): string {
  return fieldChoices[choiceOfField(field)].name();
}

/** The role of a field in the table, and its constraints. */
export function fieldSummary(field: Field, { display, stateField }: Table): string {
  const parts = [
    field.name === display && messages.isDisplay(),
    field.name === stateField && labelMessages.propState(),
    field.required && labelMessages.propRequired(),
    field.unique && labelMessages.propUnique(),
  ];
  return parts.filter(Boolean).join(" · ");
}
