import { requestOf } from "../../../../../shared/protocol/call.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import type { ExportFile } from "../../../records/export-menu.tsx";
import type { PlacedColumn } from "../../../records/views/column-layout.ts";
import type { ShownView } from "../../../records/views/view-address.ts";
import { dayZone } from "../../../state/day-zone.ts";

/** The files of a view: its records, and the columns that are shown. */
export function filesOf(
  table: string,
  { filter, sort, search, zone = dayZone(), orderOf }: ShownView,
  placed: readonly PlacedColumn[],
): ExportFile[] {
  const query = {
    ...(filter && { filter }),
    ...(sort.length > 0 && { sort: [...sort] }),
    ...(search && { search }),
    ...(orderOf && { orderOf: orderOf.view }),
    fields: placed.filter(({ hidden }) => !hidden).map(({ field }) => field),
    zone,
  };
  const csv = "GET /tables/{table}/export.csv";
  const params = { table };
  return [
    { label: messages.exportCsv(), path: requestOf(csv, { params, query }).path },
    {
      label: messages.exportLabelled(),
      path: requestOf(csv, { params, query: { ...query, readable: true } }).path,
    },
    {
      label: messages.exportJsonLines(),
      path: requestOf("GET /tables/{table}/export.jsonl", { params, query }).path,
    },
  ];
}
