import { expect, it, vi } from "vitest";
import { pasteFromMenu } from "../cell-menu/paste-from-menu.ts";
import { fakeGrid, shownToasts } from "../testing/fake-grid.ts";
import { copyRange } from "./copy-range.ts";
import { pasteRange } from "./paste-range.ts";

const SENT_AT = "2026-11-22T14:05:06.123456Z";

/** A clipboard as browsers have it outside of events: of the types, only those of texts. */
function stubClipboard() {
  let items: ClipboardItem[] = [];
  const write = async (next: ClipboardItem[]) => {
    items = next;
  };
  class Item {
    readonly #blobs: Record<string, Blob>;
    constructor(blobs: Record<string, Blob>) {
      if (Object.keys(blobs).some((type) => !type.startsWith("text/"))) throw new Error("Type");
      this.#blobs = blobs;
    }
    get types() {
      return Object.keys(this.#blobs);
    }
    async getType(type: string) {
      return this.#blobs[type];
    }
  }
  vi.stubGlobal("ClipboardItem", Item);
  vi.stubGlobal("navigator", { clipboard: { write, read: async () => items } });
}

it("moves a value whole by the menu, also where its text has fewer digits", async () => {
  stubClipboard();
  const { grid, run, select, stored } = await fakeGrid(3, (rank) => ({
    rank,
    secret: rank === 0 ? SENT_AT : null,
  }));
  select(0, 0, "secret");
  await run(copyRange(grid, true));
  expect(stored("i0", "secret")).toBeNull();
  select(2, 2, "secret");
  await run(pasteFromMenu(grid));
  expect(stored("i2", "secret")).toBe(SENT_AT);
});

it("does not take the values of an earlier copy for another text", async () => {
  stubClipboard();
  const { grid, run, select, stored } = await fakeGrid(2, (rank) => ({ rank, title: `T${rank}` }));
  select(0, 0, "title");
  await run(copyRange(grid, false));
  select(1, 1, "title");
  await run(pasteRange(grid, { getData: (type) => (type === "text/plain" ? "T2" : "") }));
  expect(stored("i1", "title")).toBe("T2");
});

it("clears nothing that it could not put on the clipboard", async () => {
  stubClipboard();
  vi.spyOn(navigator.clipboard, "write").mockRejectedValue(new Error("Not allowed."));
  const { grid, run, select, stored } = await fakeGrid(2);
  select(0, 0, "title");
  await run(copyRange(grid, true));
  expect(stored("i0", "title")).toBe("Title 0");
});

it("copies no ranges of other columns and other rows as if they were beside each other", async () => {
  stubClipboard();
  const write = vi.spyOn(navigator.clipboard, "write");
  const { grid, run, select } = await fakeGrid(2);
  select(0, 0, "title");
  grid.range.select({ anchor: { row: 1, column: 1 }, head: { row: 1, column: 1 } }, { add: true });
  await run(copyRange(grid, false));
  expect(write).not.toHaveBeenCalled();
  expect(shownToasts()).toHaveLength(1);
});
