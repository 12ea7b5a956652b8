import { expect, it, onTestFinished, vi } from "vitest";
import { setPageCore } from "../../../sync/page/page-core.ts";
import { fakeGrid } from "../testing/fake-grid.ts";
import { copyOrCut } from "./copy-range.ts";
import { pasteRange } from "./paste-range.ts";
import { clearRange } from "./range-actions.ts";

type FakeGrid = Awaited<ReturnType<typeof fakeGrid>>;

const titles = ({ stored }: FakeGrid, count: number) =>
  Array.from({ length: count }, (_, index) => stored(`i${index}`, "title"));

/** The event of a key, and what is on the clipboard afterwards. */
function clipboardEvent(type: "copy" | "cut") {
  const data = new Map<string, string>();
  const setData = (kind: string, text: string) => void data.set(kind, text);
  const event = { type, preventDefault() {}, clipboardData: { setData } };
  return { event: event as unknown as ClipboardEvent, text: () => data.get("text/plain") };
}

it("cuts exactly the cells that it has put on the clipboard, and copies without changing any", async () => {
  const fake = await fakeGrid(3);
  fake.select(0, 1, "title");
  for (const [type, left] of [
    ["copy", ["Title 0", "Title 1", "Title 2"]],
    ["cut", [null, null, "Title 2"]],
  ] as const) {
    const { event, text } = clipboardEvent(type);
    copyOrCut(fake.grid, event);
    await fake.clock.advance(200);
    expect([text(), titles(fake, 3)]).toEqual(["Title 0\nTitle 1", left]);
  }
});

it("leaves out cells that may not be written, and required ones that would be emptied", async () => {
  const fake = await fakeGrid(2);
  const { abilities, fields } = fake.grid;
  Object.assign(fields.get("title") as object, { required: true });
  Object.assign(abilities, { update: abilities.update.filter((name) => name !== "rank") });
  fake.select(0, 1, "title", "rank");
  await fake.run(clearRange(fake.grid));
  expect(titles(fake, 2)).toEqual(["Title 0", "Title 1"]);
  expect(["state", "rank"].map((name) => fake.stored("i1", name))).toEqual([null, 1]);
});

it("leaves no draft of a part behind where the rest of a large paste is refused", async () => {
  const fake = await fakeGrid(1);
  setPageCore(fake.grid.core);
  onTestFinished(() => setPageCore(null));
  const sent: string[] = [];
  vi.stubGlobal("fetch", async (path: string, { method }: RequestInit) => {
    sent.push(`${method} ${path.split("/").at(-1)}`);
    if (method === "PATCH") return Response.json({ code: "forbidden" }, { status: 403 });
    return Response.json({ id: "draft" }, { status: 201 });
  });
  const lines = Array.from({ length: 1_500 }, (_, row) => `Title ${row}`).join("\n");
  fake.select(0, 0, "title");
  await fake.run(
    pasteRange(fake.grid, { getData: (type) => (type === "text/plain" ? lines : "") }),
  );
  expect(sent).toEqual(["POST change-sets", "PATCH draft", "DELETE draft"]);
});
