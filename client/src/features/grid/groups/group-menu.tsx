import { Menu } from "@mantine/core";
import { IconLayoutList } from "@tabler/icons-react";
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
  const choices = fields.flatMap((field) =>
    groupingsOf(table, field).map((choice) => ({
      ...choice,
      id: `${choice.field}:${choice.by ?? ""}`,
      label: groupingLabel(field, choice),
    })),
  );
  if (choices.length === 0) return null;
  const chosen = choices.find(({ field, by }) => field === grouping?.field && by === grouping.by);
  const choose = (value: string) => {
    const next = choices.find(({ id }) => id === value);
    onGrouping(next ? { field: next.field, ...(next.by && { by: next.by }) } : null);
  };
  return (
    <Menu position="bottom-start" returnFocus>
      <Menu.Target>
        <ToolButton icon={IconLayoutList} label={messages.group()} value={chosen?.label} />
      </Menu.Target>
      <Menu.Dropdown miw={240} mah="min(420px, 70vh)" style={{ overflowY: "auto" }}>
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
