import { fieldOf } from "./crossing-model.ts";
import type { CrossingWorld } from "./crossing-world.ts";
import * as models from "./model-steps.ts";
import * as records from "./record-steps.ts";

/** Runs the step; resolves to its note. */
type Step = (world: CrossingWorld) => Promise<string>;

/** One feature each, drawn at random: errors are where two of them meet. */
export const steps: readonly (readonly [number, string, Step])[] = [
  [20, "edit", records.edit],
  [10, "create", records.create],
  [5, "delete", records.remove],
  [5, "restore a record", records.restore],
  [8, "transition", records.transition],
  [4, "undo an edit", records.undo],
  [4, "import", records.importFile],
  [8, "write with psql", records.writeOutside],
  [6, "rename a field", models.renameField],
  [4, "add or remove a field", models.toggleField],
  [4, "retype a field", models.retypeField],
  [3, "require a field", models.requireField],
  [3, "change the workflow", models.changeWorkflow],
  [4, "rename the table", models.renameJobs],
  [6, "apply a change set", records.applySet],
  [4, "revert a change set", records.revertSet],
  [4, "rename the other table", models.renameTeams],
  [3, "remove or add the other table", models.toggleTeams],
  [3, "reorder tables", models.reorderTables],
  [6, "change a role", changeRole],
  [3, "add a view", addView],
  [4, "change the wallboard", changeWallboard],
  [12, "type", async ({ typist }) => typist.type()],
  [3, "cut the typist off, or bring them back", async ({ typist }) => typist.toggleLine()],
  [2, "reload the typist's page", async ({ typist }) => typist.reload()],
  [3, "lose the connection", loseConnection],
  [2, "kill the server", kill],
  [1, "back up the database", backUp],
  [2, "restore the database", restoreBackup],
];

async function changeRole(world: CrossingWorld): Promise<string> {
  const { random } = world;
  const worker = world.anyWorker();
  await world.grant(worker, {
    sizeUpTo: random.next() < 0.5 ? null : random.below(10),
    hidesSecret: random.next() < 0.5,
    history: random.next() < 0.5,
    mayUpdate: random.next() < 0.7,
  });
  return JSON.stringify(worker.grant);
}

async function addView(world: CrossingWorld): Promise<string> {
  const table = await world.jobs();
  const above = world.random.below(10);
  const filter = { field: fieldOf(table, "size").name, op: "gt", value: above };
  const call = { table: table.name, name: world.unique(), shared: true, filter };
  const { id } = await world.ownerUser.call<{ id: string }>("POST", "/views", call);
  world.views.set(id, above);
  return `above ${above}`;
}

/** Counts other jobs on the published wallboard. */
async function changeWallboard(world: CrossingWorld): Promise<string> {
  const { random, wallboard, ownerUser } = world;
  const above = random.next() < 0.3 ? null : random.below(10);
  const size = fieldOf(await world.jobs(), "size").name;
  const filter = above === null ? null : { field: size, op: "gt", value: above };
  const path = `/wallboards/${wallboard}`;
  await ownerUser.call("PATCH", `${path}?overwrite=true`, { tiles: { count: { filter } } });
  await ownerUser.call("POST", `${path}/publish`, {});
  world.countsAbove = above;
  return `above ${above}`;
}

async function loseConnection(world: CrossingWorld): Promise<string> {
  await world.reconnect(world.anyWorker());
  return "reconnected";
}

async function kill(world: CrossingWorld): Promise<string> {
  await world.restart();
  return "started again";
}

async function backUp(world: CrossingWorld): Promise<string> {
  await world.backUp();
  return "backed up";
}

async function restoreBackup(world: CrossingWorld): Promise<string> {
  return (await world.restoreBackup()) ? "restored" : "no backup";
}
