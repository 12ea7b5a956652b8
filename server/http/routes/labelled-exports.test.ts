import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../../e2e/provision/databases.ts";
import { defaultLimits } from "../../../shared/limits.ts";
import type { Role } from "../../../shared/policy/role.ts";
import {
  type CommandEnvironment,
  createCommandEnvironment,
  testIdentity,
} from "../../commands/testing/command-environment.ts";
import { serviceDesk } from "../../model/templates/service-desk.ts";
import type { Reply } from "../handlers.ts";
import { recordExportHandlers } from "./record-exports.ts";

const root = testIdentity("root", "owner");

function someoneWith(grants: Role["grants"]) {
  const role: Role = { id: "made", name: "Made", rights: [], grants };
  return testIdentity("made", role);
}

const incidents = { read: true, export: true } as const;
const reader = someoneWith({ incidents, groups: { read: true }, problems: { read: true } });

describe.each(databases)("A4 an export with labels on $name", (kind) => {
  let environment: CommandEnvironment;
  beforeAll(async () => {
    environment = await createCommandEnvironment(kind, serviceDesk);
    await environment.run(
      root,
      { op: "create", table: "groups", record: "g1", values: { name: "Secret group" } },
      { op: "create", table: "incidents", values: { title: "Down", group: "g1" } },
    );
  });
  afterAll(() => environment[Symbol.asyncDispose]());

  /** The file that `reader` requests, sent while they have the rights of `current`. */
  async function exported(query: object, current: typeof reader): Promise<string> {
    const handlers = recordExportHandlers({
      auth: { authenticate: async () => current, recordEvent: async () => {} },
      config: { limits: defaultLimits },
      commands: environment.commands,
    } as never);
    const request = { headers: {}, socket: { destroyed: false } };
    const call = { identity: reader, request, params: { table: "incidents" }, query };
    const reply = await handlers["GET /tables/{table}/export.csv"](call as never);
    const parts: Uint8Array[] = [];
    const { file } = (reply as unknown as Reply<unknown>).extras;
    for await (const chunk of file?.chunks ?? []) parts.push(chunk as Uint8Array);
    return Buffer.concat(parts).toString();
  }

  it("ends when the rights on a linked table end", async () => {
    const labelled = { fields: ["title", "group"], labels: true };
    expect(await exported(labelled, reader)).toContain("Down,g1,Secret group");
    const hidden = { read: { hide: ["name"] } };
    const narrowed: Role["grants"][] = [{ incidents }, { incidents, groups: hidden }];
    for (const grants of narrowed) {
      const refused = { code: "forbidden", detail: { right: "export", table: "incidents" } };
      await expect(exported(labelled, someoneWith(grants))).rejects.toMatchObject(refused);
    }
  });

  it("continues without labels, and when the rights on a table without links from it end", async () => {
    const withoutLabels = { fields: ["title", "group"] };
    expect(await exported(withoutLabels, someoneWith({ incidents }))).toContain("Down,g1");
    const groupsOnly = someoneWith({ incidents, groups: { read: true } });
    const labelled = { ...withoutLabels, labels: true };
    expect(await exported(labelled, groupsOnly)).toContain("Down,g1,Secret group");
  });
});
