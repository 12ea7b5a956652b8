import { randomBytes } from "node:crypto";
import type { Desk } from "../harness/desk.ts";
import { addPerson } from "../harness/person.ts";
import { pairScreen } from "../harness/wall.ts";

/** In the order of the columns of the tables of who-may.test.ts. */
export const callerNames = [
  "owner",
  "admin",
  "editor",
  "viewer",
  "display",
  "foreign",
  "none",
  "screen",
] as const;
type CallerName = (typeof callerNames)[number];

/**
 * Somebody who calls, by a built-in role, by a session of another installation, by nothing, or by the
 * credential of a screen on the wall, as if it had been stolen there.
 */
export interface Caller {
  name: CallerName;
  token: string | null;
}

export async function allCallers({ server, boss }: Desk): Promise<Caller[]> {
  const callers: Caller[] = [{ name: "owner", token: boss.token }];
  for (const name of ["admin", "editor", "viewer", "display"] as const) {
    const { token } = await addPerson(server.url, boss, `The ${name}`, name);
    callers.push({ name, token });
  }
  const elsewhere = randomBytes(32).toString("base64url");
  const { token } = await pairScreen(server.url, boss);
  return [
    ...callers,
    { name: "foreign", token: elsewhere },
    { name: "none", token: null },
    { name: "screen", token },
  ];
}
