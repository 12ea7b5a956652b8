import type { TestInstallation } from "../harness/test-installation.ts";
import { pairDisplay } from "../harness/wallboards.ts";

/**
 * What the calls of `rest-rows.ts` need, created again for each caller: a call that succeeds must not spoil
 * the next.
 */

export const TABLE = "/tables/incidents";
export const password = "a long password";
export const token = "not-a-token-that-anybody-ever-gave";
let made = 0;

/** A number that no call before has used, for names. */
export function nextSerial(): number {
  made += 1;
  return made;
}

export async function newUser({ ownerUser }: TestInstallation): Promise<string> {
  const call = { email: `made${nextSerial()}@example.com`, name: "Made", role: "viewer", password };
  return (await ownerUser.call<{ id: string }>("POST", "/users", call)).id;
}

export async function invitedUser({ ownerUser }: TestInstallation): Promise<string> {
  const call = { email: `made${nextSerial()}@example.com`, name: "Made", role: "viewer" };
  return (await ownerUser.call<{ id: string }>("POST", "/users", call)).id;
}

export async function newRole({ ownerUser }: TestInstallation): Promise<string> {
  const call = { name: `Made ${nextSerial()}`, rights: [], grants: {} };
  return (await ownerUser.call<{ id: string }>("POST", "/roles", call)).id;
}

export async function newToken({ ownerUser }: TestInstallation): Promise<string> {
  const call = { name: `Made ${nextSerial()}`, role: "viewer" };
  return (await ownerUser.call<{ id: string }>("POST", "/tokens", call)).id;
}

export async function removedWallboard(installation: TestInstallation): Promise<string> {
  const id = await newWallboard(installation);
  await installation.ownerUser.call("DELETE", `/wallboards/${id}`);
  return id;
}

export async function newRecord({ ownerUser }: TestInstallation): Promise<string> {
  const { id } = await ownerUser.call<{ id: string }>("POST", `${TABLE}/records`, {
    values: { title: "made" },
  });
  return id;
}

export async function newWallboard({ ownerUser }: TestInstallation): Promise<string> {
  const tile = {
    id: "open",
    kind: "number",
    table: "incidents",
    layout: { x: 0, y: 0, w: 3, h: 2 },
  };
  const thresholds = [{ at: 1, word: "Busy", colour: "red" }];
  const call = { name: `Wallboard ${nextSerial()}`, tiles: [{ ...tile, thresholds }] };
  return (await ownerUser.call<{ id: string }>("POST", "/wallboards", call)).id;
}

export async function sharedView({ ownerUser }: TestInstallation): Promise<string> {
  const call = { table: "incidents", name: `Made ${nextSerial()}`, shared: true };
  return (await ownerUser.call<{ id: string }>("POST", "/views", call)).id;
}

export async function removedView(installation: TestInstallation): Promise<string> {
  const id = await sharedView(installation);
  await installation.ownerUser.call("DELETE", `/views/${id}`);
  return id;
}

export async function deletedRecord(installation: TestInstallation): Promise<string> {
  const id = await newRecord(installation);
  await installation.ownerUser.call("DELETE", `${TABLE}/records/${id}?overwrite=true`);
  return id;
}

/** A display of its own for each call; the screen that others use stays. */
export function displayCall(end: string, body?: object) {
  return async ({ server, ownerUser }: TestInstallation) => {
    const { id } = await pairDisplay(server.url, ownerUser);
    const path = `/displays/${id}${end}`;
    return body ? { path, body } : { path };
  };
}

export const screenReport = {
  board: null,
  lagMs: null,
  build: "",
  width: 1920,
  height: 1080,
  pixelRatio: 1,
  memoryMb: null,
  uptimeSeconds: 1,
};

/** A draft of the owner's that creates an incident. */
export async function newChangeSet({ ownerUser }: TestInstallation): Promise<string> {
  const ops = [{ op: "create", table: "incidents", values: { title: "made by a set" } }];
  return (await ownerUser.call<{ id: string }>("POST", "/change-sets", { ops })).id;
}

export async function appliedChangeSet(installation: TestInstallation): Promise<string> {
  const id = await newChangeSet(installation);
  await installation.ownerUser.call("POST", `/change-sets/${id}/apply`, {});
  return id;
}

/** A webhook of the owner's, to an address where nothing listens. */
export async function newWebhook({ ownerUser }: TestInstallation): Promise<string> {
  const call = {
    name: "Made",
    url: "http://127.0.0.1:9/",
    table: "incidents",
    events: ["deleted"],
  };
  return (await ownerUser.call<{ id: string }>("POST", "/webhooks", call)).id;
}
