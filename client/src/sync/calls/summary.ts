import { usesDays } from "../../../../shared/filter/bind-filter.ts";
import type { GroupUnit } from "../../../../shared/model/view/summary-ops.ts";
import {
  formatMeasures,
  type Summary,
  type SummaryMeasure,
} from "../../../../shared/protocol/summary.ts";
import { dayZone } from "../../state/day-zone.ts";
import { rest } from "../../transport/rest/rest.ts";
import type { ViewQuery } from "../rows/view-query.ts";

/** What is computed over the records of a view, in all or for each value of a field. */
export interface SummaryQuery {
  filter: ViewQuery["filter"];
  search: string;
  zone?: string | undefined;
  measures: readonly SummaryMeasure[];
  group: { field: string; by?: GroupUnit | undefined } | null;
}

/** Reads a summary in the user's scope. Throws a refusal. */
export function readSummary(table: string, query: SummaryQuery): Promise<Summary> {
  const { filter, search, zone = dayZone(), measures, group } = query;
  const hasDays = group?.by !== undefined || (filter !== null && usesDays(filter));
  return rest("GET /tables/{table}/summary", {
    params: { table },
    query: {
      measure: formatMeasures(measures),
      ...(filter && { filter }),
      ...(search !== "" && { search }),
      ...(hasDays && { zone }),
      ...(group && { group: group.field }),
      ...(group?.by && { by: group.by }),
    },
  });
}
