// Covers: client/src/features/grid client/src/sync
import type { Page } from "playwright";
import { beforeAll, expect, it } from "vitest";
import { cell, changeRecord, goToTable, makeRecord, waitForText } from "./testing/grid.ts";
import { openTwoUsers } from "./testing/two-users.ts";

const { product, mara, ana } = await openTwoUsers();

const groups = {
  "ord-1": "Zoë",
  "ord-2": "apple",
  "ord-3": "Özdemir",
  "ord-4": "Ward 10",
  "ord-5": "Ward 9",
};

beforeAll(async () => {
  for (const [id, name] of Object.entries(groups)) {
    await makeRecord(mara, product, "groups", id, { name });
    await makeRecord(mara, product, "incidents", `of-${id}`, {
      title: `${name} ordered`,
      group: id,
    });
  }
});

const rows = (page: Page) =>
  page.locator(".ag-row:not(.ag-row-pinned)").evaluateAll((all) =>
    all
      .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
      .flatMap(
        (row) =>
          row.getAttribute("row-id") ?? row.querySelector(".wf-heading-label")?.textContent ?? [],
      )
      .filter((text) => !text.startsWith("New ")),
  );

const ordered = `filter=${encodeURIComponent(JSON.stringify({ field: "title", op: "contains", value: "ordered" }))}`;

it("sorts texts as a language has them, and links by the names of their records, in groups, too", async () => {
  const inOrder = ["of-ord-2", "of-ord-3", "of-ord-5", "of-ord-4", "of-ord-1"];
  await goToTable(ana, product, `incidents?${ordered}&sort=title`);
  await expect.poll(() => rows(ana)).toEqual(inOrder);
  await goToTable(ana, product, `incidents?${ordered}&sort=-group`);
  await expect.poll(() => rows(ana)).toEqual(inOrder.toReversed());
  await goToTable(ana, product, `incidents?${ordered}&by=group`);
  const headings = async () => (await rows(ana)).filter((row) => row in byName);
  await expect.poll(headings).toEqual(["apple", "Özdemir", "Ward 9", "Ward 10", "Zoë"]);
});

const byName = Object.fromEntries(Object.entries(groups).map(([id, name]) => [name, id]));

it("shows the new name of a linked record in an open grid", async () => {
  await goToTable(ana, product, `incidents?${ordered}&sort=group`);
  await waitForText(cell(ana, "of-ord-2", "group"), "apple");
  await changeRecord(mara, product, "groups", "ord-2", { name: "Zzz" });
  await waitForText(cell(ana, "of-ord-2", "group"), "Zzz");
});
