import { expect } from "vitest";
import type { ApiClient } from "./api-client.ts";

export const VIEWS = "/api/v1/views";
export const open = { field: "state", op: "in", value: ["New", "Active"] };
export const byCaller = { field: "caller", op: "eq", value: "ada" };

let made = 0;

/** Stores a view and returns its path. */
export async function storeView(by: ApiClient, more: object = {}): Promise<string> {
  const call = { table: "incidents", name: `View ${++made}`, ...more };
  const { status, body } = await by.call("POST", VIEWS, call);
  expect(body).toMatchObject(call);
  expect(status).toBe(201);
  return `${VIEWS}/${body.id}`;
}

/** The paths of the views that a user sees. */
export async function listed(by: ApiClient, query = "?table=incidents"): Promise<unknown[]> {
  const { body } = await by.call("GET", `${VIEWS}${query}`);
  return (body.items as { id: string }[]).map(({ id }) => `${VIEWS}/${id}`);
}
