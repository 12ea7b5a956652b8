import { expect, it } from "vitest";
import { serveTests } from "../testing/test-server.ts";

const GROUPS = "/api/v1/tables/groups/records";
const { owner } = await serveTests("service-desk");

const page = async (query: string) => {
  const { status, body, headers } = await owner.call("GET", `${GROUPS}?${query}`);
  const records = (body.records ?? []) as { id: string }[];
  const next = body.next as string | null | undefined;
  return {
    status,
    body,
    next,
    ids: records.map(({ id }) => id),
    position: headers.get("watchfloor-position"),
  };
};
const create = (record: string) => owner.call("POST", GROUPS, { record, values: { name: record } });
const remove = (record: string) => owner.call("DELETE", `${GROUPS}/${record}?overwrite=true`);

it("a cursor reads each record once, whatever others create and delete, and its position leads to the rest", async () => {
  for (let n = 0; n < 12; n += 1) await create(`stays-${n}`);
  for (let n = 0; n < 6; n += 1) await create(`goes-${n}`);
  const before = (await page("limit=1000")).ids.filter((id) => !id.startsWith("goes"));
  const read: string[] = [];
  const positions = new Set<string | null>();
  let cursor: string | null | undefined = "start";
  for (let n = 0; typeof cursor === "string"; n += 1) {
    const part = await page(`cursor=${cursor}&limit=3`);
    read.push(...part.ids);
    positions.add(part.position);
    cursor = part.next;
    // A page by its offset would go past a record for each that is deleted before it.
    await remove(part.ids.find((id) => id.startsWith("goes")) ?? `goes-${n}`);
    await create(`comes-${n}`);
  }
  expect(cursor).toBeNull();
  expect(new Set(read).size).toBe(read.length);
  expect(read).toEqual(expect.arrayContaining(before));
  const [position] = positions;
  expect(positions).toEqual(new Set([expect.stringMatching(/^\w+\.\d+$/)]));
  const { body } = await owner.call(
    "GET",
    `/api/v1/changes?table=groups&after=${position}&limit=1000`,
  );
  const copy = new Set(read);
  for (const { kind, record } of body.items as { kind: string; record: string }[]) {
    if (kind === "delete") copy.delete(record);
    else copy.add(record);
  }
  expect([...copy].sort()).toEqual((await page("limit=1000")).ids.sort());
});

it("a cursor goes on behind its last record, also when that is gone, and within a filter", async () => {
  const filter = encodeURIComponent(
    JSON.stringify({ field: "name", op: "startsWith", value: "stays" }),
  );
  const first = await page(`cursor=start&limit=5&filter=${filter}`);
  await remove(first.ids.at(-1) ?? "");
  const second = await page(`cursor=${first.next}&limit=5&filter=${filter}`);
  const third = await page(`cursor=${second.next}&limit=5&filter=${filter}`);
  const all = [...first.ids, ...second.ids, ...third.ids];
  expect(all).toHaveLength(12);
  expect(new Set(all).size).toBe(12);
  expect(third.next).toBeNull();
});

it("a cursor is refused with an order or an offset, and where it is none", async () => {
  for (const query of [
    "cursor=start&sort=name",
    "cursor=start&offset=1",
    "cursor=x",
    "cursor=WzFd",
  ]) {
    const { status, body } = await page(query);
    expect({ query, status, at: body.at }).toEqual({ query, status: 400, at: "cursor" });
  }
  expect((await page("limit=1")).body).not.toHaveProperty("next");
});

it("a cursor shows nobody a number of the order of entry, whose gaps count hidden records, and takes none in plain text", async () => {
  const { next } = await page("cursor=start&limit=1");
  const parts: unknown[] = JSON.parse(Buffer.from(next ?? "", "base64url").toString());
  expect(parts).toEqual([expect.any(String), expect.any(String), expect.stringMatching(/^gcm1:/)]);
  const other = (await page("cursor=start&limit=2")).next ?? "";
  const ofOther: unknown = JSON.parse(Buffer.from(other, "base64url").toString())[2];
  for (const number of [7, ofOther]) {
    const forged = Buffer.from(JSON.stringify([...parts.slice(0, 2), number])).toString(
      "base64url",
    );
    expect((await page(`cursor=${forged}`)).status).toBe(400);
  }
});
