import { randomBytes } from "node:crypto";
import type { TestInstallation } from "../harness/test-installation.ts";
import { addToken, addUser } from "../harness/test-user.ts";
import { pairDisplay } from "../harness/wallboards.ts";

/** In the order of the columns of the tables of authorization.test.ts. */
export const callerNames = [
  "owner",
  "admin",
  "editor",
  "viewer",
  "display",
  "foreign",
  "none",
  "screen",
  "token",
  "narrowToken",
] as const;
type CallerName = (typeof callerNames)[number];

/**
 * Somebody who calls, by a built-in role, by a session of another installation, by nothing, or by the
 * credential of a screen on the wall, as if it had been stolen there. Or by an API token of the owner: with the owner's
 * rights, and with the role of a viewer.
 */
export interface Caller {
  name: CallerName;
  token: string | null;
}

/** Whose rights a token has: the status of its calls is theirs, where the contract lets tokens in. */
export const callerOfToken: Partial<Record<CallerName, CallerName>> = {
  token: "owner",
  narrowToken: "viewer",
};

export async function allCallers({ server, ownerUser }: TestInstallation): Promise<Caller[]> {
  const callers: Caller[] = [{ name: "owner", token: ownerUser.token }];
  for (const name of ["admin", "editor", "viewer", "display"] as const) {
    const { token } = await addUser(server.url, ownerUser, `The ${name}`, name);
    callers.push({ name, token });
  }
  const elsewhere = randomBytes(32).toString("base64url");
  const { token } = await pairDisplay(server.url, ownerUser);
  return [
    ...callers,
    { name: "foreign", token: elsewhere },
    { name: "none", token: null },
    { name: "screen", token },
    { name: "token", token: (await addToken(ownerUser)).token },
    { name: "narrowToken", token: (await addToken(ownerUser, { role: "viewer" })).token },
  ];
}
