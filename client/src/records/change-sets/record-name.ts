import type { Json } from "../../../../shared/filter/filter.ts";
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
  for (const known of values) {
    const text = textOf(known?.[table.display]);
    if (text !== null) return text;
  }
  const link = { name: "", label: "", type: "link", target: table.name } as const;
  return lookUp.get(link, record)?.label ?? LABEL_WAITING;
}

function textOf(value: Json | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
