import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connect, type Watchfloor } from "../../client/package/connect.ts";
import type { Model } from "../../shared/model/model.ts";
import { LineProxy } from "../harness/line-proxy.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { addToken } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";

const WITHIN_MS = 60_000;

let installation: TestInstallation;
let line: LineProxy;
let watchfloor: Watchfloor;

beforeEach(async () => {
  installation = await TestInstallation.openInProcess();
  line = await LineProxy.start(Number(new URL(installation.server.url).port));
  const { token } = await addToken(installation.ownerUser);
  watchfloor = await connect({ url: line.url, token });
});
afterEach(async () => {
  await watchfloor.close();
  await line[Symbol.asyncDispose]();
  await installation[Symbol.asyncDispose]();
});

const create = (title: string) =>
  installation.ownerUser.call("POST", "/tables/incidents/records", { values: { title } });
const lose = async () => {
  line.cut();
  await until("the connection is lost", WITHIN_MS, () => watchfloor.state !== "live");
};

describe("a program whose connection is lost", () => {
  it("goes on in the log where it was, until it closes", async () => {
    const seen: unknown[] = [];
    let failure: unknown = null;
    const read = async () => {
      for await (const { set } of watchfloor.table("incidents").changes()) seen.push(set.title);
    };
    const loop = read().catch((error: unknown) => {
      failure = error;
    });
    await until("the loop follows the log", WITHIN_MS, async () => {
      await create("before");
      return seen.includes("before");
    });
    await lose();
    await create("meanwhile");
    line.restore();
    const isOver = () => failure !== null;
    await until("it has caught up", WITHIN_MS, () => isOver() || seen.includes("meanwhile"));
    await create("after");
    await until("it goes on", WITHIN_MS, () => isOver() || seen.includes("after"));
    expect(failure).toBeNull();
    expect(seen.filter((title) => title !== "before")).toEqual(["meanwhile", "after"]);
    await watchfloor.close();
    await loop;
    expect(failure).toBeNull();
  });

  it("ends a loop that has not begun yet, when it closes", async () => {
    await until("the program is connected", WITHIN_MS, () => watchfloor.state === "live");
    await lose();
    const changes = watchfloor.table("incidents").changes();
    const first = expect(changes.next()).resolves.toEqual({ done: true, value: undefined });
    await watchfloor.close();
    await first;
  });

  it("knows the model that was published meanwhile", async () => {
    await until("the program is connected", WITHIN_MS, () => watchfloor.state === "live");
    await lose();
    const { ownerUser } = installation;
    const path = "/model/versions/current";
    const { document } = await ownerUser.call<{ document: Model }>("GET", path);
    const [table] = document.tables;
    if (!table) return expect.unreachable();
    table.label = "Renamed meanwhile";
    await ownerUser.call("PUT", "/model", document);
    line.restore();
    const labels = () => watchfloor.model.tables.map(({ label }) => label);
    await until("it knows the label", WITHIN_MS, () => labels().includes("Renamed meanwhile"));
  });
});
