import createClient from "openapi-fetch";
import type { paths } from "./types.ts";

/** A program that edits records by the generated client until a call is refused; it prints the refusal. */
const [, , baseUrl = "", token = ""] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });

for (;;) {
  const created = await client.POST("/api/v1/tables/groups/records", {
    body: { values: { name: `Made by a generated client ${crypto.randomUUID()}` } },
  });
  if (created.error) {
    console.log(`${created.error.code}: ${created.error.message}`);
    process.exit(1);
  }
  console.log(created.data.id);
}
