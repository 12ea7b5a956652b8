import type { Field, Table } from "../../../../shared/model/model.ts";
import { rest } from "../../transport/rest.ts";

/** The first records that link to one by a field, and how many there are. */
export interface LinkedRecords {
  table: Table;
  field: Field;
  records: { id: string; title: string }[];
  total: number;
  totalExact: boolean;
}

const LISTED = 20;

/** The records of a table whose link field holds this id, in the user's scope. */
export async function readLinked(
  { table, field }: Pick<LinkedRecords, "table" | "field">,
  record: string,
): Promise<LinkedRecords> {
  const { records, total, totalExact } = await rest("GET /tables/{table}/records", {
    params: { table: table.name },
    query: { filter: { field: field.name, op: "eq", value: record }, limit: LISTED },
  });
  const titled = records.map(({ id, values }) => {
    const title = values[table.display];
    return { id, title: typeof title === "string" && title !== "" ? title : id };
  });
  return { table, field, records: titled, total, totalExact };
}
