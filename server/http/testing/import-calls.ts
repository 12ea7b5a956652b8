import type { ImportReport } from "../../../shared/protocol/imports.ts";
import type { ApiClient } from "./api-client.ts";

/** Imports of CSV by REST as the given user. */
export function importCalls(user: ApiClient) {
  const post = async (csv: string, options: Record<string, string> = {}, table = "incidents") => {
    const path = `/api/v1/tables/${table}/imports?${new URLSearchParams(options)}`;
    return user.call("POST", path, csv, { "content-type": "text/csv" });
  };
  return {
    post,
    imported: async (csv: string, options?: Record<string, string>, table?: string) =>
      (await post(csv, options, table)).body as unknown as ImportReport,
    async byNumber(number: string) {
      const condition = { field: "number", op: "eq", value: number };
      const filter = encodeURIComponent(JSON.stringify(condition));
      const { body } = await user.call("GET", `/api/v1/tables/incidents/records?filter=${filter}`);
      return body.records as { id: string; version: string; values: Record<string, unknown> }[];
    },
  };
}

/** The counts of a report: created, updated, unchanged, failed. */
export function counts({ created, updated, unchanged, failed }: ImportReport): number[] {
  return [created, updated, unchanged, failed];
}
