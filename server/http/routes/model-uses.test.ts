import { expect, it } from "vitest";
import type { Model } from "../../../shared/model/model.ts";
import type { Use, UseCount } from "../../../shared/protocol/model.ts";
import type { ApiClient } from "../testing/api-client.ts";
import { serveTests } from "../testing/test-server.ts";

const API = "/api/v1";
const field = (name: string, more: object = {}) => ({ name, label: name, type: "text", ...more });
const options = ["Free", "Taken", "Closed"].map((value) => ({ value }));
const beds = {
  ...{ name: "beds", label: "Beds", recordLabel: "bed", display: "name", columns: [], sort: [] },
  fields: [
    field("name"),
    field("state", { type: "select", options }),
    field("note"),
    field("is_free", { type: "boolean", expression: 'state = "Free"' }),
  ],
  rules: [{ filter: { field: "note", op: "ne", value: "x" }, message: "Write a note." }],
};
const cleanings = {
  ...{ name: "cleanings", label: "Cleanings", recordLabel: "cleaning", display: "bed" },
  ...{ columns: [], sort: [], fields: [field("bed", { type: "link", target: "beds" })] },
};
const free = { field: "state", op: "eq", value: "Free" };

const { owner, member } = await serveTests("empty");

const uses = async (client: ApiClient, query: string) => {
  const { body } = await client.call("GET", `${API}/model/uses?${query}`);
  return ((body.items ?? []) as Use[]).map(({ kind, name, within }) =>
    [kind, name, within].filter((part) => part !== null).join(" · "),
  );
};
const countsOf = async (client: ApiClient, table: string) => {
  const { status, body } = await client.call("GET", `${API}/model/uses/counts?table=${table}`);
  return { status, items: (body.items ?? []) as UseCount[] };
};
const countOf = async (client: ApiClient, name: string) =>
  (await countsOf(client, "beds")).items.find((one) => one.field === name)?.count;
const add = async (client: ApiClient, path: string, call: object) => {
  const { status, body } = await client.call("POST", `${API}${path}`, call);
  expect([status, body]).toMatchObject([201, {}]);
  return String(body.id);
};

it("names what uses a table, a field, an option and a role; what its reader may not see has no name", async () => {
  await owner.call("PUT", `${API}/model`, { version: 0, tables: [beds, cleanings] });
  const layout = { x: 0, y: 0, w: 2, h: 2 };
  const number = { kind: "number", table: "beds", layout };
  const tiles = [
    { ...number, id: "a", title: "Free beds", filter: free },
    { ...number, id: "b", title: "All beds" },
    { id: "c", kind: "lights", title: "By state", table: "beds", group: "state", layout },
  ];
  await add(owner, "/wallboards", { name: "Ward", tiles });
  const shared = { table: "beds", name: "Free ones", shared: true, filter: free };
  const view = await add(owner, "/views", shared);
  const grants = { beds: { read: { filter: free, hide: ["note"] } } };
  const role = await add(owner, "/roles", { name: "Porter", rights: [], grants });
  await add(owner, "/tokens", { name: "Robot", role });
  const hook = { url: "https://example.com/", table: "beds", events: ["created"] };
  await add(owner, "/webhooks", { ...hook, name: "To the lab", fields: ["name"] });
  const editor = await member("editor");
  await add(editor, "/views", { table: "beds", name: "Mine", filter: free });

  expect(await uses(owner, "table=beds")).toEqual([
    "field · bed · Cleanings",
    ...["view · Free ones", "view", "tile · All beds · Ward", "tile · By state · Ward"],
    ...[
      "tile · Free beds · Ward",
      "role · Porter",
      "webhook · To the lab",
      "token · Robot · Porter",
    ],
  ]);
  expect(await uses(owner, "table=beds&field=state")).toEqual([
    ...["field · is_free", "view · Free ones", "view", "tile · By state · Ward"],
    ...["tile · Free beds · Ward", "role · Porter", "token · Robot · Porter"],
  ]);
  expect(await uses(owner, "table=beds&field=state&option=Free")).toEqual([
    ...["field · is_free", "view · Free ones", "view", "tile · Free beds · Ward"],
    ...["role · Porter", "token · Robot · Porter"],
  ]);
  expect(await uses(owner, "table=beds&field=state&option=Taken")).toEqual([]);
  expect(await uses(owner, "table=beds&field=note")).toEqual([
    ...["rule · Write a note.", "role · Porter", "token · Robot · Porter"],
  ]);
  for (const { name } of beds.fields) {
    expect((await uses(owner, `table=beds&field=${name}`)).length).toBe(await countOf(owner, name));
  }
  expect(await uses(owner, `role=${role}`)).toEqual(["token · Robot · Porter"]);

  expect(await uses(owner, `view=${view}`)).toEqual([]);
  for (const client of [owner, editor]) {
    await client.call("PUT", `${API}/watches`, { table: "beds", view });
  }
  expect((await uses(owner, `view=${view}`)).map((text) => text.split(" · ")[0])).toEqual([
    "watch",
    "watch",
  ]);

  // A modeller who sees neither the notes nor roles, webhooks and tokens.
  const modelling = { "*": { read: true }, beds: { read: { hide: ["note"] } } };
  const other = await add(owner, "/roles", { name: "M", rights: ["model"], grants: modelling });
  const modeller = await member(other);
  expect(await uses(modeller, "table=beds&field=state&option=Free")).toEqual([
    ...["field · is_free", "view · Free ones", "view", "tile · Free beds · Ward", "role", "token"],
  ]);
  // Of a field that they may not see, nothing is counted.
  expect(await countOf(modeller, "state")).toBe(7);
  expect(await countOf(modeller, "note")).toBeUndefined();
  expect((await countsOf(modeller, "none")).status).toBe(404);
  // Who watches a view is for those who manage users; that it is watched is not.
  expect(await uses(modeller, `view=${view}`)).toEqual(["watch", "watch"]);
  const blind = { beds: { read: { hide: ["state"] } } };
  const unseeing = await member(
    await add(owner, "/roles", { name: "B", rights: ["model"], grants: blind }),
  );
  for (const query of [`view=${view}`, "view=none"]) {
    expect((await unseeing.call("GET", `${API}/model/uses?${query}`)).status).toBe(404);
  }
  for (const query of ["table=beds&field=note", "table=none", `role=${role}`]) {
    expect((await modeller.call("GET", `${API}/model/uses?${query}`)).status).toBe(404);
  }
  for (const query of [
    "",
    "table=beds&role=x",
    `table=beds&view=${view}`,
    "field=state",
    "table=beds&option=Free",
  ]) {
    expect((await owner.call("GET", `${API}/model/uses?${query}`)).status).toBe(400);
  }
});

it("says in the plan what uses the options, fields and tables that it removes", async () => {
  const { body } = await owner.call("GET", `${API}/model/versions/current`);
  const planned = async (edit: (model: Model) => void) => {
    const model = structuredClone(body.document) as Model;
    edit(model);
    const { body: plan } = await owner.call("PUT", `${API}/model?dryRun=1`, model);
    const steps = plan.steps as { kind: string; usedBy?: Use[] }[];
    return steps.map(({ kind, usedBy }) => [kind, usedBy?.map(({ name }) => name)]);
  };
  const state = ({ tables: [table] }: Model) => table?.fields[1] ?? {};
  const left = options.slice(1);
  expect(await planned((model) => Object.assign(state(model), { options: left }))).toEqual([
    ["replaceOptions", ["Free ones", null, "Free beds", "Porter", "Robot"]],
    ["describeField", undefined],
  ]);
  // Who uses an option that another one replaces goes on with that one.
  const replaced = [{ value: "Taken", formerly: ["Free"] }, { value: "Closed" }];
  expect(await planned((model) => Object.assign(state(model), { options: replaced }))).toEqual([
    ["replaceOptions", undefined],
    ["describeField", undefined],
  ]);
  const removal = await planned(({ tables }) => tables.splice(1, 1));
  expect(removal).toEqual([["removeTable", undefined]]);
});
