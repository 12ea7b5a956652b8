/** All REST requests, on one record and on all. */
export function readPaths(about: { record: string; field: string; caller: string }): string[] {
  const { record, field, caller } = about;
  const table = "/tables/incidents";
  const filter = encodeURIComponent(JSON.stringify({ field, op: "startsWith", value: "cnry" }));
  return [
    `${table}/records?limit=200`,
    `${table}/records?limit=50&sort=-${field}`,
    `${table}/records?limit=200&expand=caller,group,assignee`,
    `${table}/records/${record}?expand=caller`,
    `${table}/records?filter=${filter}`,
    `${table}/records?fields=${field}`,
    `${table}/export.csv?labels=true`,
    `${table}/export.csv?readable=true`,
    `${table}/export.jsonl?fields=${field}`,
    "/tables/people/export.jsonl",
    `${table}/records/${record}`,
    `${table}/records/${record}/history`,
    `${table}/summary?group=${field}`,
    `${table}/summary?measure=max:${field}`,
    `${table}/summary?measure=count,distinct:${field}&search=canary`,
    `${table}/summary?group=caller`,
    "/tables/people/records",
    `/tables/people/records/${caller}`,
    "/tables/people/summary?group=name",
    "/changes?table=people&limit=1000",
    "/changes?table=incidents&limit=5000&after=start",
    "/changes?table=incidents&limit=1000",
    `/changes?table=incidents&field=${field}`,
    `/changes?table=incidents&record=${record}`,
    "/changes?search=cnry",
    "/changes?limit=1000",
    "/changes/export.csv",
    "/changes/export.jsonl?table=incidents",
    "/model",
    "/openapi.json",
    "/../docs",
    "/session",
    "/security-events?limit=200",
    "/tokens",
  ];
}

/** A taken id, a link to a missing user, a missing transition: refusals have texts too. */
export function refusedOps(record: string): object[] {
  const table = "incidents";
  return [
    { op: "create", table, record, values: {} },
    { op: "create", table, values: { caller: "nobody" } },
    { op: "transition", table, record, transition: "close", from: "Closed" },
    { op: "update", table, record, set: { number: "INC1" }, base: { number: null } },
  ];
}
