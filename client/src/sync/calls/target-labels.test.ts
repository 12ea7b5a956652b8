import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { Field, Model } from "../../../../shared/model/model.ts";
import { TargetLabels } from "./target-labels.ts";

const service: Field = { name: "service", label: "Service", type: "link", target: "services" };
const model: Model = {
  version: 1,
  tables: [
    {
      name: "services",
      label: "Services",
      recordLabel: "service",
      display: "name",
      fields: [],
      columns: [],
      sort: [],
    },
  ],
};

let calls: URL[] = [];
let refuse = false;
const rows = [
  { id: "s1", version: "e.1", values: { name: "Mail" } },
  { id: "s2", version: "e.1", values: { name: "Archive mail" } },
];

/** Replaces `fetch` with fixed answers; the tests check the requests. */
beforeEach(() => {
  calls = [];
  refuse = false;
  vi.stubGlobal("fetch", async (address: string) => {
    calls.push(new URL(address, "http://host"));
    if (refuse) return Response.json({ code: "forbidden" }, { status: 403 });
    return Response.json({ records: rows, total: 2, totalExact: true, seq: 1, epoch: "e" });
  });
});
afterEach(() => vi.unstubAllGlobals());

const arrival = (labels: TargetLabels) =>
  new Promise<void>((done) => {
    const stop = labels.onArrived(() => {
      stop();
      done();
    });
  });

test("labels asked for one by one are read in one call", async () => {
  const labels = new TargetLabels(() => model);
  expect(labels.labelOf(service, "s1")).toBeUndefined();
  expect(labels.labelOf(service, "s2")).toBeUndefined();
  await arrival(labels);
  expect(calls).toHaveLength(1);
  expect(JSON.parse(calls[0]?.searchParams.get("filter") ?? "")).toEqual({
    field: "id",
    op: "in",
    value: ["s1", "s2"],
  });
  expect(labels.labelOf(service, "s1")).toBe("Mail");
});

test("more labels than fit into one call are read in several", async () => {
  const labels = new TargetLabels(
    () => model,
    () => 1,
  );
  for (const id of ["s1", "gone"]) labels.get(service, id);
  await vi.waitFor(() => expect(calls).toHaveLength(2));
});

test("what is gone or may not be seen is called by its id, and not asked for again at once", async () => {
  const labels = new TargetLabels(() => model);
  labels.get(service, "gone");
  await arrival(labels);
  expect(labels.labelOf(service, "gone")).toBe("gone");
  refuse = true;
  labels.get(service, "hidden");
  await arrival(labels);
  expect(labels.labelOf(service, "hidden")).toBe("hidden");
  await new Promise((done) => setTimeout(done, 60));
  expect(calls).toHaveLength(2);
});

test("what was read before it was forgotten leaves no label, also where it arrives after that", async () => {
  const labels = new TargetLabels(() => model);
  const answered = Promise.withResolvers<void>();
  const answer = fetch;
  vi.stubGlobal("fetch", async (address: string) => {
    const response = await answer(address);
    await answered.promise;
    return response;
  });
  labels.get(service, "s1");
  const searched = labels.search(service, "mail");
  await vi.waitFor(() => expect(calls).toHaveLength(2));
  labels.forget();
  const arrived = arrival(labels);
  answered.resolve();
  await Promise.all([searched, arrived]);
  expect(labels.isCached(service, "s1")).toBe(false);
  expect(labels.labelOf(service, "s1")).toBeUndefined();
  await arrival(labels);
  expect(labels.labelOf(service, "s1")).toBe("Mail");
});

test("a search answers those that begin with the text first", async () => {
  const labels = new TargetLabels(() => model);
  const found = await labels.search(service, "mail");
  expect(found.map(({ label }) => label)).toEqual(["Mail", "Archive mail"]);
});

test("what was loaded before is known without the server", async () => {
  const labels = new TargetLabels(() => model);
  expect(labels.loaded(service, "")).toEqual([]);
  await labels.search(service, "mail");
  refuse = true;
  await expect(labels.search(service, "mail")).rejects.toThrow();
  expect(labels.loaded(service, "MAIL").map(({ id }) => id)).toEqual(["s1", "s2"]);
  expect(labels.loaded(service, "arch").map(({ id }) => id)).toEqual(["s2"]);
});

test("a deleted record that is linked is called as it was, where that may be known", async () => {
  class KnowingLabels extends TargetLabels {
    protected override deletedLabel(table: string, id: string): Promise<string | null> {
      return Promise.resolve(id === "s3" ? `Fax of ${table} (deleted)` : null);
    }
  }
  const labels = new KnowingLabels(() => model);
  for (const id of ["s3", "s4"]) labels.labelOf(service, id);
  await arrival(labels);
  expect(labels.labelOf(service, "s3")).toBe("Fax of services (deleted)");
  expect(labels.labelOf(service, "s4")).toBe("s4");
});

test("pasted names are found in any case, and one that several have names them all", async () => {
  const labels = new TargetLabels(() => model);
  rows.push({ id: "s3", version: "e.1", values: { name: "Mail" } });
  const found = await labels.resolve(service, ["Mail", "ARCHIVE MAIL", "s2", "nothing"]);
  rows.pop();
  expect([...found]).toEqual([
    ["Mail", ["s1", "s3"]],
    ["ARCHIVE MAIL", ["s2"]],
    ["s2", ["s2"]],
  ]);
});

test("texts are compared with labels in one call", async () => {
  const labels = new TargetLabels(() => model);
  const texts = Array.from({ length: 500 }, (_, n) => `Text ${n}`);
  expect(await labels.labelsAmong("services", ["Mail", ...texts])).toContain("Mail");
  expect(calls).toHaveLength(1);
  const filter = JSON.parse(calls[0]?.searchParams.get("filter") ?? "");
  expect(filter).toMatchObject({ field: "name", op: "in" });
  expect(filter.value).toHaveLength(200);
});

test("users are found by name or email", async () => {
  const owner: Field = { name: "owner", label: "Owner", type: "person" };
  const users = [
    { id: "u1", name: "Ana Lopes", colour: "red", status: "active", email: "ana@example.com" },
    { id: "u2", name: "Sam", colour: "blue", status: "active" },
  ];
  vi.stubGlobal("fetch", async () => Response.json({ items: users }));
  const labels = new TargetLabels(() => model);
  const found = await labels.resolve(owner, ["ana lopes", "Ana@Example.com", "Bo"]);
  expect([...found]).toEqual([
    ["ana lopes", ["u1"]],
    ["Ana@Example.com", ["u1"]],
  ]);
});

test("a user who is renamed is shown by the new name, once a notice of users says that there is one", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const owner: Field = { name: "owner", label: "Owner", type: "person" };
  const ana = { id: "u1", name: "Ana Lopes", colour: "red", status: "active" };
  let reads = 0;
  vi.stubGlobal("fetch", async () => {
    reads += 1;
    return Response.json({ items: [ana] });
  });
  const labels = new TargetLabels(() => model);
  // As a grid does, which draws its cells again.
  const shown = () => labels.labelOf(owner, "u1");
  labels.onArrived(shown);
  shown();
  await vi.advanceTimersByTimeAsync(5_000);
  expect([shown(), reads]).toEqual(["Ana Lopes", 1]);
  ana.name = "Ana Silva";
  labels.outdateBy({ kind: "labels", table: "services" });
  await vi.advanceTimersByTimeAsync(5_000);
  expect([shown(), reads]).toEqual(["Ana Lopes", 1]);
  labels.outdateBy({ kind: "people" });
  expect(shown()).toBe("Ana Lopes");
  await vi.advanceTimersByTimeAsync(5_000);
  expect([shown(), reads]).toEqual(["Ana Silva", 2]);
  vi.useRealTimers();
});

test("labels that are to be copied are read before", async () => {
  const labels = new TargetLabels(() => model);
  expect(labels.isCached(service, "s1")).toBe(false);
  await labels.load(service, ["s1", "s1", "s2"]);
  await labels.load(service, ["s1"]);
  expect(calls).toHaveLength(1);
  expect(labels.labelOf(service, "s2")).toBe("Archive mail");
});

test("a typed label names what has exactly it, or else what begins with it, but never an id", async () => {
  rows.push({ id: "Mail", version: "e.1", values: { name: "Mailing" } });
  const labels = new TargetLabels(() => model);
  const named = async (text: string) => (await labels.named(service, text)).map(({ id }) => id);
  const found = await Promise.all(["Mail", "ARCHIVE MAIL", "arch", "m", "mail"].map(named));
  rows.pop();
  expect(found).toEqual([["s1"], ["s2"], ["s2"], ["s1", "Mail"], ["s1"]]);
});

test("labels that are typed while others are looked up travel together", async () => {
  const labels = new TargetLabels(() => model);
  await Promise.all(["Mail", "Archive mail", "Mail"].map((text) => labels.named(service, text)));
  const asked = calls.map((call) => JSON.parse(call.searchParams.get("filter") ?? "").value);
  expect(asked).toEqual([["Mail", "Archive mail"]]);
});

test("a label that is typed once others are looked up is not forgotten: it is in the next call", async () => {
  const labels = new TargetLabels(() => model);
  const first = labels.named(service, "Mail");
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  await Promise.all([first, labels.named(service, "Archive mail")]);
  const asked = calls.map((call) => JSON.parse(call.searchParams.get("filter") ?? "").value);
  expect(asked).toEqual([["Mail"], ["Archive mail"]]);
});

test("a label that could not be read again stays, and is tried again soon", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const labels = new TargetLabels(() => model);
  const shown = () => labels.labelOf(service, "s1");
  shown();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(shown()).toBe("Mail");
  refuse = true;
  labels.outdate("services");
  await vi.advanceTimersByTimeAsync(5_000);
  shown();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([shown(), calls.length]).toEqual(["Mail", 2]);
  await vi.advanceTimersByTimeAsync(16_000);
  shown();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([shown(), calls.length]).toEqual(["Mail", 3]);
});

test("users who could not be read are read again when they are next asked for", async () => {
  const owner: Field = { name: "owner", label: "Owner", type: "person" };
  const ana = { id: "u1", name: "Ana Lopes", colour: "red", status: "active" };
  const labels = new TargetLabels(() => model);
  refuse = true;
  await expect(labels.search(owner, "ana")).rejects.toThrow();
  vi.stubGlobal("fetch", async () => Response.json({ items: [ana] }));
  expect(await labels.search(owner, "ana")).toMatchObject([{ id: "u1" }]);
});

test("labels that may have changed stay until they are read again, those of the changed table alone", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const labels = new TargetLabels(() => model);
  const shown = () => labels.labelOf(service, "s1");
  labels.onArrived(shown);
  shown();
  await vi.advanceTimersByTimeAsync(5_000);
  expect([shown(), calls.length]).toEqual(["Mail", 1]);
  const [first] = rows;
  if (first) first.values = { name: "Post" };
  labels.outdate("others");
  await vi.advanceTimersByTimeAsync(5_000);
  expect([shown(), calls.length]).toEqual(["Mail", 1]);
  labels.outdate("services");
  labels.outdate("services");
  expect(shown()).toBe("Mail");
  await vi.advanceTimersByTimeAsync(5_000);
  expect([shown(), calls.length]).toEqual(["Post", 2]);
  // No longer readable, or gone.
  rows.shift();
  labels.outdate();
  await vi.advanceTimersByTimeAsync(5_000);
  expect([shown(), labels.known(service, "s1")]).toEqual(["s1", null]);
  rows.unshift({ id: "s1", version: "e.1", values: { name: "Mail" } });
  vi.useRealTimers();
});
