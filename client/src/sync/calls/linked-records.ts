import { recordTitle } from "../../../../shared/model/display-text.ts";
import type { Field, Table } from "../../../../shared/model/model.ts";
import { rest } from "../../transport/rest/rest.ts";

/** The first records that link to one by a field, and how many there are. */
export interface LinkedRecords {
  table: Table;
  field: Field;
  records: { id: string; title: string }[];
  total: number;
  totalExact: boolean;
}

const LISTED = 20;

/** INC21 before INC103. */
const inOrder = new Intl.Collator(undefined, { numeric: true });

/**
 * The first records of a table whose link field holds this id, in the user's scope: by their titles if the user can see
 * those, also the choice of the first ones.
 */
export async function readLinked(
  { table, field, isTitled }: Pick<LinkedRecords, "table" | "field"> & { isTitled: boolean },
  record: string,
): Promise<LinkedRecords> {
  const { records, total, totalExact } = await rest("GET /tables/{table}/records", {
    params: { table: table.name },
    query: {
      filter: { field: field.name, op: "eq", value: record },
      limit: LISTED,
      ...(isTitled && { sort: [table.display] }),
    },
  });
  const titled = records.map(({ id, values }) => ({ id, title: recordTitle(table, id, values) }));
  titled.sort((a, b) => inOrder.compare(a.title, b.title));
  return { table, field, records: titled, total, totalExact };
}
