import { Menu } from "@mantine/core";
import { IconLayoutList } from "@tabler/icons-react";
import { kindOfType, traitsOf } from "../../../../../shared/model/field-types.ts";
import type { Field, Table } from "../../../../../shared/model/model.ts";
import { groupUnits } from "../../../../../shared/model/view/summary-ops.ts";
import { canGroupRows, type Grouping } from "../../../../../shared/model/view/view.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { ToolButton } from "../../../records/toolbar/tool-button.tsx";

/** The value of the choice without groups. */
const NONE = "";

interface Props {
  table: Table;
  /** Those that the user may see. */
  fields: readonly Field[];
  grouping: Grouping | null;
  onGrouping(grouping: Grouping | null): void;
  /** Hides the rows of all groups, or shows them. */
  onHideAll(isHidden: boolean): void;
}

/** The button of the toolbar that chooses by which field the rows are grouped. */
export function GroupMenu({ table, fields, grouping, onGrouping, onHideAll }: Props) {
  const isChosen = ({ field, by }: Grouping) => field === grouping?.field && by === grouping.by;
  const choices = fields.toSorted(byUsefulness).flatMap((field) =>
    groupingsOf(table, field)
      .filter((choice) => !field.unique || isChosen(choice))
      .map((choice) => ({
        ...choice,
        id: `${choice.field}:${choice.by ?? ""}`,
        label: groupingLabel(field, choice),
      })),
  );
  if (choices.length === 0) return null;
  const chosen = choices.find(isChosen);
  const choose = (value: string) => {
    const next = choices.find(({ id }) => id === value);
    onGrouping(next ? { field: next.field, ...(next.by && { by: next.by }) } : null);
  };
  return (
    <Menu position="bottom-start" returnFocus>
      <Menu.Target>
        <ToolButton icon={IconLayoutList} label={messages.group()} value={chosen?.label} />
      </Menu.Target>
      <Menu.Dropdown w="min(320px, 96vw)" mah="min(418px, 70vh)" style={{ overflowY: "auto" }}>
        <Menu.Label>{messages.groupBy()}</Menu.Label>
        {chosen && (
          <>
            <Menu.Item onClick={() => onHideAll(true)}>{messages.hideGroups()}</Menu.Item>
            <Menu.Item onClick={() => onHideAll(false)}>{messages.showGroups()}</Menu.Item>
            <Menu.Divider />
          </>
        )}
        <Menu.RadioGroup value={chosen?.id ?? NONE} onChange={choose}>
          <Menu.RadioItem value={NONE} closeMenuOnClick>
            {messages.noGroups()}
          </Menu.RadioItem>
          {choices.map(({ id, label }) => (
            <Menu.RadioItem key={id} value={id} closeMenuOnClick>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Texts last: most records have one of their own. What is unique is not offered, because each group would be one row. */
function byUsefulness(a: Field, b: Field): number {
  const isText = ({ type }: Field) => kindOfType[type] === "text" && !traitsOf(type).names;
  return Number(isText(a)) - Number(isText(b));
}

/** By what the rows can be grouped with a field: dates by days and months. */
export function groupingsOf(table: Table, field: Field): Grouping[] {
  return [undefined, ...groupUnits].flatMap((by) => {
    const choice: Grouping = { field: field.name, ...(by && { by }) };
    const isOffered = canGroupRows(table, choice) && (by !== undefined || field.type !== "date");
    return isOffered ? [choice] : [];
  });
}

/** `Opened, by month` */
function groupingLabel({ label }: Field, { by }: Grouping): string {
  if (by === undefined) return label;
  return by === "day" ? messages.byDay({ field: label }) : messages.byMonth({ field: label });
}
