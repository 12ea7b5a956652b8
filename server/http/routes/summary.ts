import { z } from "zod";
import { nameSchema } from "../../../shared/protocol/record.ts";
import { summaryRowSchema } from "../../../shared/protocol/summary.ts";
import type { AppDeps } from "../app-deps.ts";
import { filterParam, measureParam, zoneParam } from "../query-params.ts";
import { type Route, route } from "../route.ts";

const query = z.strictObject({
  filter: filterParam.optional(),
  group: nameSchema.optional(),
  measure: measureParam.optional(),
  zone: zoneParam.optional(),
});

const counting = { op: "count" } as const;

/** Figures over a table, in the scope of the caller. */
export function summaryRoutes({ commands }: Pick<AppDeps, "commands">): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/tables/{table}/summary",
        summary: "Count, or measure=sum:field (avg, min, max), as one figure or by a group field.",
        params: z.object({ table: nameSchema }),
        query,
        answer: z.object({ rows: z.array(summaryRowSchema) }),
      },
      async (identity, { params: { table }, query: { measure, ...rest } }) => {
        const call = { table, measure: measure ?? counting, ...rest };
        return { body: { rows: await commands.readSummary(identity, call) } };
      },
    ),
  ];
}
