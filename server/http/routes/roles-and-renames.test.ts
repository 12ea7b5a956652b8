import { describe, expect, it } from "vitest";
import type { Model } from "../../../shared/model/model.ts";
import { fieldOf, tableOf } from "../../model/testing/model-environment.ts";
import { serveTests } from "../testing/test-server.ts";

const ROLES = "/api/v1/roles";
const USERS = "/api/v1/users";
const password = "a long password";
const ofMyGroup = { field: "group", op: "eq", value: "$me.group" };

const { owner, member } = await serveTests("service-desk");
let made = 0;

async function makeRole(grants: object, rights: string[] = []): Promise<string> {
  const call = { name: `Role ${++made}`, grants, rights };
  const { status, body } = await owner.call("POST", ROLES, call);
  expect(body).toMatchObject({ rights });
  expect(status).toBe(201);
  return String(body.id);
}

async function changeModel(edit: (model: Model) => void): Promise<void> {
  const { body } = await owner.call("GET", "/api/v1/model");
  const model = body as unknown as Model;
  edit(model);
  const { status, body: plan } = await owner.call("PUT", "/api/v1/model?confirm=lossy", model);
  expect([status, plan]).toMatchObject([200, {}]);
}

async function rename(from: string, to: string): Promise<void> {
  await changeModel((model) => {
    const text = JSON.stringify(model).replaceAll(`"target":"${from}"`, `"target":"${to}"`);
    Object.assign(model, JSON.parse(text));
    for (const table of model.tables) if (table.name === from) table.name = to;
  });
}

describe("a renamed table", () => {
  it("gives nobody more rights by its new name: no role, no promotion, no password", async () => {
    const narrow = { read: { filter: ofMyGroup, hide: ["notes"] }, history: true };
    const own = await makeRole({ "*": { read: true }, incidents: narrow }, ["roles", "users"]);
    const wide = await makeRole({ "*": { read: true } });
    const lead = await member(own, { group: "Red" });
    const reader = await member(wide);
    const plain = await member(await makeRole({}));
    await rename("incidents", "tickets");
    try {
      for (const [name, grant] of [
        ["tickets", { read: true }],
        ["incidents", { read: true }],
        ["tickets", null],
        ["incidents", null],
        ["tickets", { history: true, read: { filter: ofMyGroup } }],
        ["tickets", { create: true }],
        ["tickets", { update: { fields: ["notes"] } }],
      ] as const) {
        const changed = await lead.call("PATCH", `${ROLES}/${own}`, { grants: { [name]: grant } });
        expect([name, grant, changed.status]).toEqual([name, grant, 403]);
        if (!grant) continue;
        const call = { name: `By lead ${++made}`, grants: { [name]: grant }, rights: [] };
        expect([name, grant, (await lead.call("POST", ROLES, call)).status]).toEqual([
          name,
          grant,
          403,
        ]);
      }
      const fine = { name: `By lead ${++made}`, grants: { tickets: narrow }, rights: [] };
      expect((await lead.call("POST", ROLES, fine)).status).toBe(201);
      const promoted = { role: wide };
      for (const id of [lead.id, plain.id]) {
        expect((await lead.call("PATCH", `${USERS}/${id}`, promoted)).status).toBe(403);
      }
      const reset = await lead.call("POST", `${USERS}/${reader.id}/password-reset`);
      expect(reset.status).toBe(403);
      const page = await lead.call("GET", "/api/v1/tables/tickets/records");
      expect(page.body).toMatchObject({ total: 0 });
    } finally {
      await rename("tickets", "incidents");
    }
  });

  it("has one grant in a role that is changed by the new name and by the old one", async () => {
    const id = await makeRole({ incidents: { read: true } });
    await rename("incidents", "tickets");
    try {
      const path = `${ROLES}/${id}`;
      await owner.call("PATCH", path, { grants: { tickets: { history: true } } });
      const { body } = await owner.call("PATCH", path, { grants: { incidents: { create: true } } });
      expect(Object.values(body.grants as object)).toEqual([
        { read: true, history: true, create: true },
      ]);
      const base = { grants: { tickets: { read: true } } };
      const call = { base, grants: { tickets: { delete: true } } };
      const merged = await owner.call("PATCH", path, call);
      expect(Object.values(merged.body.grants as object)).toEqual([
        { read: true, history: true, create: true, delete: true },
      ]);
    } finally {
      await rename("tickets", "incidents");
    }
  });
});

const diary = {
  id: "diary",
  name: "diary",
  label: "Diary",
  recordLabel: "entry",
  display: "text",
  fields: ["text", "secret", "mood"].map((name) => ({
    id: name,
    name,
    label: name,
    type: "text" as const,
  })),
  columns: ["text"],
  sort: [],
};
const without = (name: string) => (model: Model) => {
  model.tables = model.tables.filter((table) => table.name !== name);
};

describe("a table that was removed and created again under its name", () => {
  it("is a table that no role names yet", async () => {
    const { id: _, ...notes } = { ...diary, name: "notes" };
    await changeModel((model) => model.tables.push(notes));
    const role = await makeRole({ notes: { read: true, create: true } });
    const someone = await member(role);
    await changeModel(without("notes"));
    const renamed = await owner.call("PATCH", `${ROLES}/${role}`, { name: `Renamed ${++made}` });
    expect(renamed.status).toBe(200);
    await changeModel((model) => model.tables.push(notes));
    expect((await someone.call("GET", "/api/v1/tables/notes/records")).status).toBe(404);
    await changeModel(without("notes"));
  });
});

describe("a removed table that is restored", () => {
  const hiding = { read: { hide: ["secret", "mood"] }, history: true };
  const whole = { "*": { read: true, history: true, create: true } };
  const entry = { text: "shown", secret: "canary", mood: "canary" };

  async function removedDiary() {
    await changeModel((model) => model.tables.push(diary));
    const created = await owner.call("POST", "/api/v1/tables/diary/records", { values: entry });
    expect(created.status).toBe(201);
    const record = String((created.body as { id?: string }).id);
    const role = await makeRole({ ...whole, diary: hiding }, ["roles", "users"]);
    const reader = await member(role);
    // A field that is no longer in the table's last version returns with it.
    await changeModel((model) => {
      const table = model.tables.find(({ name }) => name === "diary");
      if (table) table.fields = table.fields.filter(({ name }) => name !== "mood");
    });
    await changeModel(without("diary"));
    return { record, role, reader };
  }

  it("hides the same fields and their history, under other names and after another table", async () => {
    const { record, reader } = await removedDiary();
    const other = { ...diary, id: "other", fields: diary.fields.slice(0, 1) };
    await changeModel((model) => model.tables.push(other));
    await changeModel((model) => {
      without("diary")(model);
      const fields = diary.fields.map((field) => ({ ...field, name: `${field.name} again` }));
      const again = { ...diary, name: "journal", fields, display: "text again" };
      model.tables.push({ ...again, columns: ["text again"] });
    });
    try {
      const history = `/api/v1/tables/journal/records/${record}/history`;
      const changes = "/api/v1/changes?table=journal";
      for (const path of [history, changes, `${changes}&after=start`, "/api/v1/model"]) {
        const { status, body } = await reader.call("GET", path);
        const text = JSON.stringify(body);
        const leaked = ["canary", "secret again", "mood again"].filter((one) => text.includes(one));
        expect([path, status, leaked]).toEqual([path, 200, []]);
      }
      expect(JSON.stringify((await owner.call("GET", history)).body)).toContain("canary");
      expect(JSON.stringify((await reader.call("GET", history)).body)).toContain("shown");
    } finally {
      await changeModel(without("journal"));
    }
  });

  it("gives nobody more rights than a role that was changed or copied meanwhile had", async () => {
    const { role, reader } = await removedDiary();
    const { body } = await owner.call("GET", `${ROLES}/${role}`);
    const { grants } = body as { grants: object };
    const copied = await makeRole(grants as object);
    const copy = await member(copied);
    const wide = await makeRole(whole);
    const plain = await member(await makeRole({}));
    const path = `${ROLES}/${role}`;
    const changed = await owner.call("PATCH", path, { grants: { "*": { comment: true } } });
    expect(changed.status).toBe(200);
    for (const [method, address, call] of [
      ["PATCH", `${ROLES}/${copied}`, { grants: { diary: null } }],
      ["POST", ROLES, { name: `By reader ${++made}`, grants: { "*": { read: true } }, rights: [] }],
      ["PATCH", `${USERS}/${plain.id}`, { role: wide }],
    ] as const) {
      expect([method, address, (await reader.call(method, address, call)).status]).toEqual([
        method,
        address,
        403,
      ]);
    }
    await changeModel((model) => model.tables.push(diary));
    for (const one of [reader, copy]) {
      const { status, body: found } = await one.call("GET", "/api/v1/changes?table=diary");
      expect([status, JSON.stringify(found).includes("canary")]).toEqual([200, false]);
    }
    await changeModel(without("diary"));
  });

  it("hides the same fields if it takes its name back from another table, whose grant it does not get", async () => {
    const { record, role, reader } = await removedDiary();
    const path = `${ROLES}/${role}`;
    const other = { ...diary, id: "other", fields: diary.fields.slice(0, 1) };
    await changeModel((model) => model.tables.push(other));
    const given = await owner.call("PATCH", path, { grants: { diary: { read: true } } });
    expect(given.status).toBe(200);
    await changeModel((model) => {
      without("diary")(model);
      model.tables.push(diary);
    });
    const history = `/api/v1/tables/diary/records/${record}/history`;
    const { status, body } = await reader.call("GET", history);
    const leaked = JSON.stringify(body).includes("canary");
    expect([status, leaked]).toEqual([200, false]);
    await changeModel(without("diary"));
    for (const name of ["diary", "diary, removed"]) {
      const grants = { [name]: { read: true } };
      const call = { name: `By reader ${++made}`, grants, rights: [] };
      expect([name, (await reader.call("POST", ROLES, call)).status]).toEqual([name, 403]);
      expect([name, (await reader.call("PATCH", path, { grants })).status]).toEqual([name, 403]);
    }
  });

  it("does not prevent changes of a grant that hides a removed field", async () => {
    await changeModel((model) => model.tables.push({ ...diary, id: "journal", name: "journal" }));
    const role = await makeRole({ journal: { read: { hide: ["secret"] } } });
    await changeModel((model) => {
      const table = model.tables.find(({ name }) => name === "journal");
      if (table) table.fields = table.fields.filter(({ name }) => name !== "secret");
    });
    const path = `${ROLES}/${role}`;
    const more = await owner.call("PATCH", path, { grants: { journal: { create: true } } });
    expect([more.status, more.body]).toMatchObject([200, {}]);
    const misspelt = { journal: { read: { hide: ["secret", "mod"] } } };
    expect((await owner.call("PATCH", path, { grants: misspelt })).status).toBe(422);
    await changeModel(without("journal"));
  });
});

describe("a user who manages users", () => {
  it("can't act as a colleague of the same role whose records `$me` opens", async () => {
    const mine = { field: "assignee", op: "eq", value: "$me" };
    for (const grant of [{ read: { filter: mine } }, { read: true, update: { filter: mine } }]) {
      const role = await makeRole({ incidents: grant }, ["users"]);
      const [lead, colleague] = [await member(role), await member(role)];
      const other = `${USERS}/${colleague.id}`;
      for (const [method, path, body] of [
        ["POST", `${other}/password-reset`],
        ["DELETE", `${other}/factors`],
        ["DELETE", `${other}/sessions`],
        ["GET", `${other}/sessions`],
        ["PATCH", other, { status: "disabled" }],
        ["DELETE", other],
        ["POST", USERS, { email: `x${++made}@example.com`, name: "X", role, password }],
      ] as const) {
        const { status } = await lead.call(method, path, body);
        expect([method, path, status]).toEqual([method, path, 403]);
      }
    }
  });
});

describe("a security event", () => {
  it("follows its table to another name, and is not one of a new table of the old name", async () => {
    const auditor = async (grants: object) =>
      (await member(await makeRole(grants, ["activity"]))).call;
    await owner.call("GET", "/api/v1/tables/incidents/export.csv");
    await rename("incidents", "tickets");
    await changeModel(({ tables }) => tables.push(tableOf("incidents", [fieldOf("title")])));
    const shownTo = async (call: typeof owner.call) => {
      const { body } = await call("GET", "/api/v1/security-events?group=data&limit=1");
      return (body.items as { detail: object }[])[0]?.detail;
    };
    const whole = await shownTo(owner.call);
    expect(whole).toMatchObject({ table: "incidents", file: "incidents.csv" });
    expect(whole).not.toHaveProperty("tableId");
    expect(await shownTo(await auditor({ tickets: { read: true } }))).toEqual(whole);
    const other = await shownTo(await auditor({ incidents: { read: true } }));
    expect(other).toMatchObject({ table: null });
    expect(JSON.stringify(other)).not.toContain("incidents");
  });
});
