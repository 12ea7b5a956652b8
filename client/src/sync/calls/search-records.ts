import { displayText, recordTitle } from "../../../../shared/model/display-text.ts";
import type { Table } from "../../../../shared/model/model.ts";
import { rest } from "../../transport/rest/rest.ts";

/** A record that the palette offers. */
export interface FoundRecord {
  table: Table;
  id: string;
  /** What the record is called. */
  title: string;
  /** A second value that identifies it, if there is one. */
  detail: string | null;
}

/** Records of each table whose text holds the words, in the tables' order. A table that fails is left out. */
export async function searchRecords(
  tables: readonly Table[],
  text: string,
  perTable: number,
): Promise<FoundRecord[]> {
  const found = await Promise.all(
    tables.map((table) => searchTable(table, text, perTable).catch(() => [])),
  );
  return found.flat();
}

async function searchTable(table: Table, text: string, limit: number): Promise<FoundRecord[]> {
  const { records } = await rest("GET /tables/{table}/records", {
    params: { table: table.name },
    query: { search: text, limit },
  });
  const texts = table.fields.filter(({ type }) => type === "text").map(({ name }) => name);
  const other = texts.find((name) => name !== table.display);
  return records.map(({ id, values }) => ({
    table,
    id,
    title: recordTitle(table, id, values),
    detail: other === undefined ? null : displayText({ display: other }, values),
  }));
}
