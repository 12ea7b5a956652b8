import { displayText, idTitle } from "../../../../shared/model/display-text.ts";
import type { Table, Values } from "../../../../shared/model/model.ts";
import { LABEL_WAITING } from "../fields/label-waiting.ts";
import type { LookUp } from "../fields/look-up.ts";

/** What a record is called: by the values at hand, else by its label, which is `LABEL_WAITING` until it is loaded. */
export function recordName(
  table: Table,
  record: string,
  values: readonly (Readonly<Values> | null)[],
  lookUp: LookUp,
): string {
  const known = values.map((some) => displayText(table, some)).find((text) => text !== null);
  if (known) return known;
  const link = { name: "", label: "", type: "link", target: table.name } as const;
  const { label = LABEL_WAITING } = lookUp.get(link, record) ?? {};
  return label === record ? idTitle(table, record) : label;
}
