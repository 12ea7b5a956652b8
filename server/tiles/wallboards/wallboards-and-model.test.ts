import { afterEach, beforeEach, expect, it } from "vitest";
import { until } from "../../../e2e/harness/until.ts";
import { databases } from "../../../e2e/provision/databases.ts";
import { defaultLimits } from "../../../shared/limits.ts";
import type { Field, Model } from "../../../shared/model/model.ts";
import { wallboardDocumentSchema } from "../../../shared/model/wallboard/wallboard.ts";
import type { Subject } from "../../../shared/policy/scope.ts";
import {
  createModelEnvironment,
  fieldOf,
  type ModelEnvironment,
  tableOf,
} from "../../model/testing/model-environment.ts";
import { ChangeNotifier } from "../../store/change-notifier.ts";
import { createCurrentModel } from "../../store/current-model.ts";
import { WallboardQuery } from "../engine/wallboard-query.ts";
import { planWallboard, type WallboardVersion } from "../plan/plan-wallboard.ts";
import { userReader } from "../reader.ts";
import { WallboardCache } from "./wallboard-cache.ts";
import {
  addWallboard,
  changeWallboard,
  publishWallboard,
  type Wallboards,
} from "./wallboard-commands.ts";

const GUARD_MS = 60_000;

/** A user who may not read one field. */
const without = (hidden: string): Subject => {
  const grants = { people: { read: { hide: [hidden] } } };
  return { id: "me", role: { id: "r", name: "R", rights: ["wallboards"], grants }, attributes: {} };
};
const me = without("salary");
const tile = {
  ...{ id: "a", kind: "number", table: "people", measure: { op: "count" } },
  layout: { x: 0, y: 0, w: 1, h: 1 },
};
const document = wallboardDocumentSchema.parse({ name: "Floor", tiles: [tile] });

let environment: ModelEnvironment;
/** Of a server that does not know the changed model yet. */
let wallboards: Wallboards;

beforeEach(async () => {
  const [kind] = databases;
  if (!kind) return expect.unreachable();
  environment = await createModelEnvironment(kind);
  await environment.database.pool.query(`insert into watchfloor."user" (id, email, name, colour, role, status)
    values ('me', 'me@example.com', 'Me', 0, 'admin', 'active')`);
  await environment.change(({ tables }) => {
    tables.push(tableOf("people", [fieldOf("name"), fieldOf("room"), fieldOf("salary")]));
  });
  const { database, commands } = environment;
  wallboards = {
    ...{ database, model: await createCurrentModel(database), limits: defaultLimits },
    ...{
      reads: commands.reads,
      wallboardCache: new WallboardCache(database, new ChangeNotifier()),
    },
  };
});
afterEach(() => environment[Symbol.asyncDispose]());

const renameTable = ({ tables: [people] }: Model) => {
  if (people) people.name = "staff";
};

/** The hidden field gets the name of a visible one, and the other way round. */
const swapFields = ({ tables: [people] }: Model) => {
  const [, room, salary] = (people?.fields ?? []) as [Field, Field, Field];
  room.name = "salary";
  salary.name = "room";
};

async function stored() {
  const { rows } = await environment.database.pool.query(
    "select draft, scopes from watchfloor.wallboard",
  );
  return rows;
}

it("T11 a server that does not know a renamed table yet stores no tile of the old name", async () => {
  const { id } = await addWallboard(wallboards, me, { ...document, draft: true });
  await environment.change(renameTable);
  const tiles = { b: { ...tile, id: "b" } };
  await expect(changeWallboard(wallboards, me, id, { tiles }, false)).rejects.toMatchObject({
    code: "validation_failed",
  });
  expect(await stored()).toMatchObject([{ draft: { tiles: [{ id: "a", table: "staff" }] } }]);
  expect(await changeWallboard(wallboards, me, id, { name: "Hall" }, false)).toMatchObject({
    name: "Hall",
  });
  await expect(addWallboard(wallboards, me, document)).rejects.toMatchObject({
    code: "validation_failed",
  });
  expect(await stored()).toHaveLength(1);
});

it("T11 a wallboard that is published by rights from before a renaming shows no hidden field", async () => {
  const { id } = await addWallboard(wallboards, me, { ...document, draft: true });
  await environment.change(swapFields);
  await expect(publishWallboard(wallboards, me, id, undefined)).rejects.toMatchObject({
    code: "unavailable",
  });
  // Sent again, the caller is authorised again: by the role as the renaming left it.
  await publishWallboard(wallboards, without("room"), id, undefined);
  expect(await stored()).toMatchObject([
    { scopes: { people: { filter: null, fields: ["name", "salary"] } } },
  ]);
});

it("T11 a wallboard that is added while fields are renamed shows no hidden field", async () => {
  const { pool } = environment.database;
  const waiting = async () => {
    const { rows } = await pool.query(
      `select count(*)::int as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows[0].n as number;
  };
  const lockHolder = await pool.connect();
  await lockHolder.query("begin");
  // the renaming has migrated the wallboards before its last statement
  await lockHolder.query("lock table watchfloor.model in share mode");
  const changed = environment.change(swapFields);
  await until("the renaming waits", GUARD_MS, async () => (await waiting()) === 1);
  let isAnswered = false;
  const added = addWallboard(wallboards, me, document)
    .catch((error) => error.code)
    .finally(() => {
      isAnswered = true;
    });
  // The renaming gives up its locks from time to time, and the wallboard may pass it.
  const waitsOrIsAnswered = async () => isAnswered || (await waiting()) === 2;
  await until("the wallboard waits for it", GUARD_MS, waitsOrIsAnswered);
  await lockHolder.query("commit");
  lockHolder.release();
  await changed;
  const wasRefused = (await added) === "unavailable";
  const shown = { people: { filter: null, fields: ["name", "salary"] } };
  expect((await stored()).map(({ scopes }) => scopes)).toEqual(wasRefused ? [] : [shown]);
});

it("T11 a tile whose filter names an option that was removed shows no number, and says that the model changed", async () => {
  await environment.change(({ tables: [people] }) => {
    const options = ["Free", "Taken"].map((value) => ({ value }));
    people?.fields.push(fieldOf("bed", { type: "select", options }));
  });
  wallboards = { ...wallboards, model: environment.model };
  const free = { ...tile, filter: { field: "bed", op: "eq", value: "Free" } };
  const call = wallboardDocumentSchema.parse({ name: "Ward", tiles: [free] });
  const { id } = await addWallboard(wallboards, me, call);
  const shown = async () => {
    const { tiles, name, grid, zone, theme } = await changeWallboard(wallboards, me, id, {}, false);
    const version = { wallboard: id, version: 1, document: { name, tiles, zone, theme, grid } };
    const plan = planWallboard(version as WallboardVersion, {
      reader: userReader(me),
      model: environment.model(),
      textOrder: "en",
    });
    const query = new WallboardQuery(plan, null);
    const at = { now: 0, position: {} };
    query.compose(new Map(), at, String, () => undefined);
    return query.last?.tiles.a;
  };
  const changeOptions = (options: { value: string; formerly?: string[] }[]) =>
    environment.change(({ tables: [people] }) =>
      Object.assign(people?.fields[3] ?? {}, { options }),
    );
  await changeOptions([{ value: "Vacant", formerly: ["Free"] }, { value: "Taken" }]);
  // A replaced option is followed.
  expect(await shown()).not.toHaveProperty("reason", "model_changed");
  await changeOptions([{ value: "Taken" }]);
  expect(await shown()).toEqual({ state: "failed", reason: "model_changed" });
  await expect(publishWallboard(wallboards, me, id, undefined)).rejects.toMatchObject({
    code: "validation_failed",
    detail: { fields: { "tiles.a.filter": { message: "“bed” has no option “Vacant”." } } },
  });
});
