import { Menu } from "@mantine/core";
import { kindOfType } from "../../../../../shared/model/field-types.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import {
  type ColumnSummary,
  columnSummaries,
  isMeasurable,
} from "../../../../../shared/model/view/summary-ops.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { summaryNames } from "../../../records/summary/summary-text.ts";

const NONE = "none";

interface Props {
  field: Field;
  chosen: ColumnSummary | null;
  onSummary(summary: ColumnSummary | null): void;
}

/** The items of a menu that choose what is computed of a column. */
export function SummaryItems({ field, chosen, onSummary }: Props) {
  const fitting = columnSummaries.filter((op) => isMeasurable(op, kindOfType[field.type]));
  return (
    <Menu.RadioGroup
      value={chosen ?? NONE}
      onChange={(value) => onSummary(fitting.find((op) => op === value) ?? null)}
    >
      <Menu.RadioItem value={NONE} closeMenuOnClick>
        {messages.noSummary()}
      </Menu.RadioItem>
      {fitting.map((op) => (
        <Menu.RadioItem key={op} value={op} closeMenuOnClick>
          {summaryNames[op]()}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}
