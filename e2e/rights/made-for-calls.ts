import type { Desk } from "../harness/desk.ts";
import { pairScreen } from "../harness/wall.ts";

/**
 * What the calls of `rest-rows.ts` need, made anew for each caller: a call that succeeds must not spoil the next.
 */

export const TABLE = "/tables/incidents";
export const password = "a long password";
export const token = "not-a-token-that-anybody-ever-gave";
let made = 0;

/** A number that no call before has used, for names. */
export function nextMade(): number {
  made += 1;
  return made;
}

export async function newUser({ boss }: Desk): Promise<string> {
  const call = { email: `made${nextMade()}@example.com`, name: "Made", role: "viewer", password };
  return (await boss.call<{ id: string }>("POST", "/users", call)).id;
}

export async function invitedUser({ boss }: Desk): Promise<string> {
  const call = { email: `made${nextMade()}@example.com`, name: "Made", role: "viewer" };
  return (await boss.call<{ id: string }>("POST", "/users", call)).id;
}

export async function newRole({ boss }: Desk): Promise<string> {
  const call = { name: `Made ${nextMade()}`, rights: [], grants: {} };
  return (await boss.call<{ id: string }>("POST", "/roles", call)).id;
}

export async function removedWallboard(desk: Desk): Promise<string> {
  const id = await newWallboard(desk);
  await desk.boss.call("DELETE", `/wallboards/${id}`);
  return id;
}

export async function newRecord({ boss }: Desk): Promise<string> {
  const { id } = await boss.call<{ id: string }>("POST", `${TABLE}/records`, {
    values: { title: "made" },
  });
  return id;
}

export async function newWallboard({ boss }: Desk): Promise<string> {
  const tile = {
    id: "open",
    kind: "number",
    table: "incidents",
    layout: { x: 0, y: 0, w: 3, h: 2 },
  };
  const thresholds = [{ at: 1, word: "Busy", colour: "red" }];
  const call = { name: `Board ${nextMade()}`, tiles: [{ ...tile, thresholds }] };
  return (await boss.call<{ id: string }>("POST", "/wallboards", call)).id;
}

export async function sharedView({ boss }: Desk): Promise<string> {
  const call = { table: "incidents", name: `Made ${nextMade()}`, shared: true };
  return (await boss.call<{ id: string }>("POST", "/views", call)).id;
}

export async function removedView(desk: Desk): Promise<string> {
  const id = await sharedView(desk);
  await desk.boss.call("DELETE", `/views/${id}`);
  return id;
}

export async function deletedRecord(desk: Desk): Promise<string> {
  const id = await newRecord(desk);
  await desk.boss.call("DELETE", `${TABLE}/records/${id}?overwrite=true`);
  return id;
}

/** A display of its own for each call; the screen that others use stays. */
export function displayCall(end: string, body?: object) {
  return async ({ server, boss }: Desk) => {
    const { id } = await pairScreen(server.url, boss);
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
