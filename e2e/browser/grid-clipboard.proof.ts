// Covers: client/src/features/grid client/src/sync
import { readFile } from "node:fs/promises";
import { Client } from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import { changeRecord, paste, waitForText } from "./testing/grid.ts";
import { ParcelScreen } from "./testing/parcel-screen.ts";
import { openExport } from "./testing/view-menu.ts";

const screen = await ParcelScreen.open();
const { at, press, range, storedValues, namesStored } = screen;
const toast = () => screen.mara.locator(".mantine-Notification-root");
const clipboard = () => screen.mara.evaluate(() => navigator.clipboard.readText());

describe("several ranges", () => {
  beforeEach(() => screen.openParcels(6, (index) => ({ pieces: index })));

  const select = async (first: [number, string], second: [number, string]) => {
    await at(...first).click();
    await press("Shift+ArrowDown");
    await range().getByText("2 cells", { exact: true }).waitFor();
    await at(...second).click({ modifiers: ["ControlOrMeta"] });
    await press("Shift+ArrowDown");
    await range().getByText("4 cells", { exact: true }).waitFor();
    await press("ControlOrMeta+c");
  };

  it("are copied one below the other where they have the same columns, and side by side where they have the same rows", async () => {
    await select([0, "name"], [3, "name"]);
    await expect.poll(clipboard).toBe("Parcel 0\nParcel 1\nParcel 3\nParcel 4");
    await select([1, "name"], [1, "pieces"]);
    await expect.poll(clipboard).toBe("Parcel 1\t1\nParcel 2\t2");
  });

  it("are not copied where they have neither, with a message that says so", async () => {
    await screen.mara.evaluate(() => navigator.clipboard.writeText("Before"));
    await select([0, "name"], [3, "pieces"]);
    await screen.mara.getByText("Ranges can be copied together if").first().waitFor();
    expect(await clipboard()).toBe("Before");
  });
});

describe("a paste into several ranges", () => {
  beforeEach(() => screen.openParcels(7, (index) => ({ pieces: index })));

  const select = async () => {
    await at(0, "name").click();
    await press("Shift+ArrowDown");
    await range().getByText("2 cells", { exact: true }).waitFor();
    await at(3, "name").click({ modifiers: ["ControlOrMeta"] });
    await press("Shift+ArrowDown", "Shift+ArrowDown");
    await range().getByText("5 cells", { exact: true }).waitFor();
  };
  const rename = (index: number, name: string) =>
    changeRecord(screen.ana, screen.product, "parcels", screen.ids[index] ?? "", { name });

  it("fills all of them and nothing else, and one undo takes back exactly that, while a colleague edits the same cells", async () => {
    await select();
    await rename(3, "Ana's first");
    await waitForText(at(3, "name"), "Ana's first");
    await paste(screen.mara, "Pasted");
    await screen.mara.getByText("5 cells pasted.").first().waitFor();
    const filled = Array.from({ length: 5 }, () => "Pasted");
    await expect
      .poll(() => namesStored())
      .toEqual(filled.toSpliced(2, 0, "Parcel 2").concat("Parcel 6"));
    expect([...(await storedValues()).values()].map(({ pieces }) => pieces)).toEqual([
      ...[0, 1, 2, 3, 4, 5, 6],
    ]);
    await rename(4, "Ana's second");
    await waitForText(at(4, "name"), "Ana's second");
    await press("ControlOrMeta+z");
    await expect
      .poll(namesStored)
      .toEqual([
        ...["Parcel 0", "Parcel 1", "Parcel 2", "Ana's first", "Ana's second"],
        ...["Parcel 5", "Parcel 6"],
      ]);
  });

  it("writes nothing where the copied cells don't fit each of them, with a message that says so", async () => {
    await select();
    await paste(screen.mara, "One\nTwo");
    await toast().getByText("the copied cells don't fit each of the selected ranges").waitFor();
    await expect
      .poll(() => namesStored())
      .toEqual([0, 1, 2, 3, 4, 5, 6].map((index) => `Parcel ${index}`));
    await press("Shift+ArrowUp");
    await range().getByText("4 cells", { exact: true }).waitFor();
    await paste(screen.mara, "One\nTwo");
    await screen.mara.getByText("4 cells pasted.").first().waitFor();
    await expect
      .poll(() => namesStored())
      .toEqual([...["One", "Two", "Parcel 2", "One", "Two", "Parcel 5", "Parcel 6"]]);
  });
});

describe("the range that Shift extends", () => {
  beforeEach(() => screen.openParcels(6));

  const cells = (count: number) => range().getByText(`${count} cells`, { exact: true }).waitFor();

  it("goes on by a page, to the first column, and to the first and last cell of the table", async () => {
    await at(2, "pieces").click();
    await press("Shift+PageDown");
    await cells(4);
    await press("Shift+PageUp");
    await cells(3);
    await press("Shift+Home");
    await cells(9);
    await press("Escape", "Shift+ControlOrMeta+End");
    await cells(4 * 9);
    await press("Shift+ControlOrMeta+Home");
    await cells(9);
  });
});

it("finds users by their mail when it is pasted", async () => {
  await screen.openParcels(2);
  const answer = await screen.mara.request.get(`${screen.product.url}/api/v1/users`);
  const { items } = (await answer.json()) as { items: { id: string; email: string }[] };
  const ana = items.find(({ email }) => email === "ana@example.com");
  await at(0, "name").click();
  await press("End", "ArrowLeft");
  await paste(screen.mara, "ana@example.com\nANA@example.com");
  await screen.mara.getByText("2 cells pasted.").first().waitFor();
  await expect
    .poll(async () => [...(await storedValues()).values()].map(({ owner }) => owner))
    .toEqual([ana?.id, ana?.id]);
});

it("exports the records of the view, in its order and with the columns on the screen, as JSON lines", async () => {
  await screen.openParcels(3, (index) => ({ pieces: index }));
  await openExport(screen.mara);
  const started = screen.mara.waitForEvent("download");
  await screen.mara.getByRole("menuitem", { name: "JSON Lines" }).click();
  const file = await readFile(await (await started).path(), "utf8");
  const lines = file.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject(
    [0, 1, 2].map((index) => ({
      id: screen.ids[index],
      values: { name: `Parcel ${index}`, pieces: index },
    })),
  );
});

describe("rows that are not loaded", () => {
  const ROWS = 1_300;

  it("are read before they are copied, and the user sees how many of them are", async () => {
    const { mara } = screen;
    const released = Promise.withResolvers<void>();
    await mara.routeWebSocket(/socket/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage(async (message) => {
        const offset = Number(/"parcels".*"offset":(\d+)/.exec(`${message}`)?.[1] ?? 0);
        if (offset >= 1_000) await released.promise;
        server.send(message);
      });
    });
    await mara.goto(screen.product.url);
    await screen.openParcels(ROWS);
    await at(0, "name").click();
    await press("ControlOrMeta+Space", "ControlOrMeta+c");
    const progress = toast().filter({ hasText: /^Loading [\d,]+ of 1,300 rows…/ });
    const done = async () => {
      const [, count = ""] = /Loading ([\d,]+) of/.exec((await progress.textContent()) ?? "") ?? [];
      return Number(count.replace(",", ""));
    };
    await expect.poll(done).toBeGreaterThanOrEqual(1_000);
    released.resolve();
    await mara
      .getByText(`${ROWS.toLocaleString("en")} cells copied.`)
      .first()
      .waitFor();
    await progress.waitFor({ state: "detached" });
    expect((await clipboard()).split("\n")).toHaveLength(ROWS);
  });
});

describe("more than 10,000 rows", () => {
  it("are neither copied, cut, cleared nor filled, with a message that says so", async () => {
    const { mara, product } = screen;
    await screen.openParcels(2);
    const database = new Client({ connectionString: product.databaseUrl });
    await database.connect();
    await database.query(
      `insert into parcels (id, name, place)
       select $1 || '-many-' || g, 'Many', $1 || '-9' || g from generate_series(1, 10000) g`,
      [screen.round],
    );
    await database.end();
    await mara.reload();
    await at(0, "name").waitFor();
    await mara.evaluate(() => navigator.clipboard.writeText("Before"));
    const refused = toast().filter({ hasText: "At most 10,000 rows can be copied or changed" });
    for (const key of ["c", "x", "d"].map((name) => `ControlOrMeta+${name}`).concat("Delete")) {
      await at(0, "name").click();
      await press("ControlOrMeta+Space");
      await range().getByText("10,002 cells").waitFor();
      await press(key);
      await refused.waitFor();
      await refused.getByRole("button").click();
      await refused.waitFor({ state: "detached" });
    }
    expect(await clipboard()).toBe("Before");
    expect((await namesStored()).slice(0, 3)).toEqual(["Parcel 0", "Parcel 1", "Many"]);
  });
});
