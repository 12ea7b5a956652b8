// Covers: client/src/features/grid
import { setTimeout } from "node:timers/promises";
import { beforeEach, expect, it } from "vitest";
import type { WireRecord } from "../../shared/protocol/record.ts";
import { apiRequest } from "./testing/api-request.ts";
import { makeRecord, paste, waitForText } from "./testing/grid.ts";
import { ParcelScreen } from "./testing/parcel-screen.ts";
import { pressKey } from "./testing/pipelined-keys.ts";

const screen = await ParcelScreen.open();
const { at, press } = screen;

beforeEach(() => screen.openParcels(4, (index) => ({ size: index < 2 ? "L" : "S" })));

const focused = () =>
  screen.mara.evaluate((records) => {
    const element = document.activeElement?.closest("[col-id]");
    const row = element?.closest("[row-id]")?.getAttribute("row-id") ?? "";
    return `${records.indexOf(row)} ${element?.getAttribute("col-id")}`;
  }, screen.ids);

const newRow = () => screen.mara.locator(".ag-full-width-row", { hasText: "New parcel" });

/** Goes from the last record to the row that begins a new one. */
async function focusNewRow(): Promise<void> {
  await at(3, "name").click();
  await press("ArrowDown");
  await expect.poll(() => newRow().evaluate((row) => row === document.activeElement)).toBe(true);
}

it("moves the cursor to the row whose checkbox was clicked, and Space is the checkbox's", async () => {
  await at(0, "name").click();
  const checkbox = screen.mara.locator(`[row-id="${screen.ids[2]}"] input[type="checkbox"]`);
  await checkbox.click();
  await press("Space");
  await expect.poll(() => checkbox.isChecked()).toBe(false);
  await press("ArrowDown");
  await expect.poll(focused).toBe("3 name");
  await checkbox.focus();
  await press("ArrowUp");
  await expect.poll(focused).toBe("1 name");
});

it("begins a record by pasting a row on the row for new records", async () => {
  await focusNewRow();
  await paste(screen.mara, "Shelf\tPasted\t7");
  await expect
    .poll(async () => (await storedRows()).find(({ pieces }) => pieces === 7)?.name)
    .toBe("Pasted");
});

it("makes new records of a few rows that are pasted on the row for new records, and a draft of many", async () => {
  await focusNewRow();
  await paste(screen.mara, "First\tOne\nSecond\tTwo");
  for (const name of ["First", "Second"]) await screen.mara.getByText(name).first().waitFor();
  expect(screen.mara.url()).not.toContain("/changes/");
  await focusNewRow();
  const rows = Array.from({ length: 51 }, (_, index) => `Of many ${index}\tThree`);
  await paste(screen.mara, rows.join("\n"));
  await screen.mara.waitForURL(/\/changes\//);
  await screen.mara.getByText("Of many 0").first().waitFor();
});

it("begins a record with what an input method composes on the row for new records", async () => {
  await focusNewRow();
  const client = await screen.mara.context().newCDPSession(screen.mara);
  const key = { key: "Process", code: "KeyN", windowsVirtualKeyCode: 229 };
  await client.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...key });
  for (const text of ["n", "に", "にほん"]) {
    const end = text.length;
    await client.send("Input.imeSetComposition", { text, selectionStart: end, selectionEnd: end });
  }
  await client.send("Input.insertText", { text: "日本" });
  await press("!", "Enter");
  await expect.poll(async () => (await storedRows()).map(({ place }) => place)).toContain("日本!");
});

const composedBy = [
  ["a dead key", { key: "Dead", code: "Quote", windowsVirtualKeyCode: 222 }, "é"],
  ["an input method", { key: "Process", code: "KeyN", windowsVirtualKeyCode: 229 }, "日本"],
] as const;

it.each(composedBy)(
  "puts what %s composes into the new record, before its cell is drawn",
  async (_, key, text) => {
    await press("ControlOrMeta+Home");
    await at(0, "name").click();
    const client = await screen.mara.context().newCDPSession(screen.mara);
    const send = (type: "rawKeyDown" | "keyUp", event: object) =>
      client.send("Input.dispatchKeyEvent", { type, ...event });
    const composition = { text: "´", selectionStart: 1, selectionEnd: 1 };
    // All is on its way before the page draws the row of the new record.
    await Promise.all([
      pressKey(client, { press: "New" }),
      send("rawKeyDown", key),
      send("keyUp", key),
      ...(text === "é" ? [] : [client.send("Input.imeSetComposition", composition)]),
      client.send("Input.insertText", { text }),
      pressKey(client, { type: "!" }),
      pressKey(client, { press: "Enter" }),
    ]);
    await expect
      .poll(async () => (await storedRows()).map(({ place }) => place))
      .toContain(`${text}!`);
    await waitForText(at(0, "name"), "Parcel 0");
  },
);

it("goes on within a new record above the rows by Enter, not to a stored one", async () => {
  await press("ControlOrMeta+Home");
  await at(0, "name").click();
  await press("ControlOrMeta+Enter");
  await screen.mara.keyboard.type("Above");
  await press("Enter");
  await screen.mara.keyboard.type("5");
  await press("Enter");
  await expect
    .poll(async () => (await storedRows()).find(({ place }) => place === "Above")?.name)
    .toBe("5");
  await waitForText(at(0, "name"), "Parcel 0");
});

it("shows rows of an empty view while records are steadily added to it", async () => {
  const { mara, product } = screen;
  const slow = await mara.context().newPage();
  await slow.routeWebSocket(/socket/, (socket) => {
    // Each answer takes longer than the next change.
    const server = socket.connectToServer();
    server.onMessage((message) => {
      globalThis.setTimeout(() => socket.send(message), 800);
    });
  });
  const filter = JSON.stringify({ field: "place", op: "startsWith", value: "steady-" });
  await slow.goto(`${product.url}/t/parcels?filter=${encodeURIComponent(filter)}`);
  await slow.getByText("No matching parcels").waitFor();
  let isShown = false;
  const add = async () => {
    for (let count = 0; !isShown; count += 1) {
      const id = `steady-${count}`;
      await makeRecord(mara, product, "parcels", id, { place: id, name: id });
      await setTimeout(100);
    }
  };
  const adding = add();
  try {
    await slow.locator(".ag-row .wf-cell:not(.wf-loading)").first().waitFor();
  } finally {
    isShown = true;
    await adding;
    await slow.close();
  }
});

/** All parcels: what is typed first is not where the view of a test looks. */
async function storedRows(): Promise<WireRecord["values"][]> {
  const path = "/tables/parcels/records?limit=1000";
  const { mara, product } = screen;
  const { records } = await apiRequest<{ records: WireRecord[] }>(mara, product, "GET", path);
  return records.map(({ values }) => values);
}
