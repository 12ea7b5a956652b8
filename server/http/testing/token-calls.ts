import { expect } from "vitest";
import type { CreatedApiToken } from "../../../shared/protocol/api-tokens.ts";
import { openDatabase } from "../../store/database.ts";
import type { ApiClient } from "./api-client.ts";

export const TOKENS = "/api/v1/tokens";

/** Creates a token as the given user. */
export async function createToken(by: ApiClient, call: object = {}): Promise<CreatedApiToken> {
  const { status, body } = await by.call("POST", TOKENS, { name: "Nightly sync", ...call });
  expect([status, body.code]).toEqual([201, undefined]);
  return body as unknown as CreatedApiToken;
}

/** Calls a server with a token, as a program does: without cookie and origin. */
export function tokenCaller(origin: string) {
  return async (token: string, method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const read = (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
    return { status: answer.status, headers: answer.headers, body: read };
  };
}

/** The row of a token as it is stored. */
export async function readTokenRow(
  databaseUrl: string,
  id: string,
): Promise<Record<string, unknown>> {
  const database = openDatabase({ connectionString: databaseUrl, poolSize: 1, onError() {} });
  const text = "select * from watchfloor.api_token where id = $1";
  const { rows } = await database.pool.query(text, [id]);
  await database.close();
  return rows[0] as Record<string, unknown>;
}
