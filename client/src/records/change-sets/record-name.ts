import { displayText, idTitle } from "../../../../shared/model/display-text.ts";
import type { Table, Values } from "../../../../shared/model/model.ts";
import { titleBesideName } from "../../../../shared/model/record-card.ts";
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
  const { label = LABEL_WAITING } = lookUp.get(linkTo(table), record) ?? {};
  return label === record ? idTitle(table, record) : label;
}

/** What a stored record is read by, where it is called by a number that nobody knows by heart: as it was at the time, if its values say it. */
export function titleBeside(
  table: Table,
  record: string,
  values: readonly (Values | null)[],
  lookUp: LookUp,
): string | undefined {
  const field = titleBesideName(table);
  if (!field) return undefined;
  const known = values.map((some) => displayText({ display: field.name }, some)).find(Boolean);
  return known ?? lookUp.get(linkTo(table), record)?.title;
}

function linkTo(table: Table) {
  return { name: "", label: "", type: "link", target: table.name } as const;
}
