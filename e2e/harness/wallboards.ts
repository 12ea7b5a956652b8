import type { z } from "zod";
import type { createWallboardSchema } from "../../shared/protocol/wallboards.ts";
import type { TestUser } from "./test-user.ts";

/** A wallboard of the service desk with a value that every new incident changes; returns its id. */
export async function createWallboard(by: TestUser, name = "Test wallboard"): Promise<string> {
  const wallboard: z.input<typeof createWallboardSchema> = {
    name,
    grid: { columns: 4, rows: 2 },
    tiles: [
      {
        id: "all",
        kind: "number",
        title: "All incidents",
        table: "incidents",
        thresholds: [{ at: 1, word: "Many", colour: "red", flash: true }],
        layout: { x: 0, y: 0, w: 2, h: 2 },
      },
      {
        id: "states",
        kind: "breakdown",
        title: "By state",
        table: "incidents",
        group: "state",
        layout: { x: 2, y: 0, w: 2, h: 2 },
      },
    ],
  };
  return (await by.call<{ id: string }>("POST", "/wallboards", wallboard)).id;
}

/** One incident more. */
export async function createIncident(by: TestUser): Promise<void> {
  await by.call("POST", "/tables/incidents/records", { values: { title: "one more" } });
}

/** Pairs a screen and returns the credential of its cookie. */
export async function pairDisplay(
  url: string,
  ownerUser: TestUser,
  boards: string[] = ["no-wallboard"],
): Promise<{ id: string; token: string }> {
  const pairing = await fetch(`${url}/api/v1/display/pairing`, { method: "POST" });
  const { code } = (await pairing.json()) as { code: string };
  const display = { code, name: "A screen", boards };
  const { id } = await ownerUser.call<{ id: string }>("POST", "/displays", display);
  const cookie = pairing.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const paired = await fetch(`${url}/api/v1/display/pairing`, { headers: { cookie } });
  const token = /^watchfloor_display=([^;]+)/.exec(paired.headers.getSetCookie()[0] ?? "")?.[1];
  if (!token) throw new Error("The screen was not paired.");
  return { id, token };
}
