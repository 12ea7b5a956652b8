import { Menu } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { type Field, kindOfType } from "../../../../../shared/model/model.ts";
import {
  type ColumnSummary,
  columnSummaries,
  isMeasurable,
} from "../../../../../shared/model/view/summary-ops.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { summaryNames } from "./summary-text.ts";

interface Props {
  field: Field;
  chosen: ColumnSummary | null;
  onSummary(summary: ColumnSummary | null): void;
}

/** The items of a menu that choose what is computed of a column. */
export function SummaryItems({ field, chosen, onSummary }: Props) {
  const fitting = columnSummaries.filter((op) => isMeasurable(op, kindOfType[field.type]));
  return [null, ...fitting].map((op) => (
    <Menu.Item
      key={op ?? ""}
      role="menuitemradio"
      aria-checked={op === chosen}
      rightSection={op === chosen ? <IconCheck size={15} aria-hidden="true" /> : null}
      onClick={() => onSummary(op)}
    >
      {op === null ? messages.noSummary() : summaryNames[op]()}
    </Menu.Item>
  ));
}
