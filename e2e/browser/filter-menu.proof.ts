// Covers: client/src/records client/src/features/grid
import { expect, it } from "vitest";
import { recordsShown } from "./testing/grid.ts";
import { ParcelScreen } from "./testing/parcel-screen.ts";

const screen = await ParcelScreen.open();
const DAY_MS = 86_400_000;

const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const dialog = () => screen.mara.getByRole("dialog");

/** Adds a condition on a field to the filter, which stays open. */
async function addCondition(field: string, operator: string): Promise<void> {
  await screen.mara.getByRole("button", { name: /^Filter/ }).click();
  await dialog().getByRole("button", { name: "Add condition" }).click();
  await dialog().getByLabel("Field", { exact: true }).last().selectOption({ label: field });
  await dialog().getByLabel("Condition", { exact: true }).last().selectOption({ label: operator });
}

it("compares a date with today, which moves on", async () => {
  await screen.openParcels(3, (index) => ({ day: dayIn(3 * index - 3) }));
  await addCondition("Day", "is before");
  await dialog().getByLabel("Compare with").selectOption({ label: "today" });
  await expect.poll(() => recordsShown(screen.mara)).toEqual(screen.ids.slice(0, 1));
  const address = new URL(screen.mara.url()).searchParams;
  expect(address.get("filter")).toContain('{"field":"day","op":"lt","value":"$today"}');
});

it("takes a value that is typed right before Escape", async () => {
  await screen.openParcels(3, (index) => ({ pieces: index }));
  await addCondition("Pieces", "is");
  await dialog().getByLabel("Value for Pieces").pressSequentially("1");
  await screen.mara.keyboard.press("Escape");
  await dialog().waitFor({ state: "detached" });
  await expect.poll(() => recordsShown(screen.mara)).toEqual(screen.ids.slice(1, 2));
});
