import type { Filter } from "../../../../shared/filter/filter.ts";
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

interface Source extends Pick<LinkedRecords, "table" | "field"> {
  /** Whether the user can see the titles of its records. */
  isTitled: boolean;
  /** What its open records match; null where none of its fields that the user can see says that. */
  open: Filter | null;
}

/**
 * The first records of a table whose link field holds this id, in the user's scope: what is open before what is closed. Those with a number come
 * newest first, others by their titles if the user can see those, also the choice of the first ones.
 */
export async function readLinked(
  { table, field, isTitled, open }: Source,
  record: string,
): Promise<LinkedRecords> {
  const isNumbered =
    table.fields.find(({ name }) => name === table.display)?.automatic !== undefined;
  const isLinked: Filter = { field: field.name, op: "eq", value: record };
  const read = (filter: Filter) =>
    rest("GET /tables/{table}/records", {
      params: { table: table.name },
      query: {
        filter,
        limit: LISTED,
        ...(isTitled && { sort: [isNumbered ? `-${table.display}` : table.display] }),
      },
    });
  const [all, firstOnes] = await Promise.all([
    read(isLinked),
    open && read({ and: [isLinked, open] }),
  ]);
  const titled = ({ records }: typeof all) => {
    const list = records.map(({ id, values }) => ({ id, title: recordTitle(table, id, values) }));
    return isNumbered ? list : list.sort((a, b) => inOrder.compare(a.title, b.title));
  };
  const first = firstOnes ? titled(firstOnes) : [];
  const others = titled(all).filter(({ id }) => !first.some((one) => one.id === id));
  const { total, totalExact } = all;
  return { table, field, records: [...first, ...others].slice(0, LISTED), total, totalExact };
}
