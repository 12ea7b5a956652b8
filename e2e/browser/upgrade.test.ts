import pg from "pg";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { StoredMutation } from "../../client/src/transport/edit-storage.ts";
import type { Page as RecordPage } from "../../shared/protocol/feed.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import type { HistoryEntry } from "../../shared/protocol/records.ts";
import { signIn, type TestUser } from "../harness/test-user.ts";
import type { TestDatabase } from "../provision/create-database.ts";
import { databases } from "../provision/databases.ts";
import { facts, moved, restoreReleased, storedTab } from "../upgrade/released-database.ts";
import { writeStorage } from "../upgrade/write-storage.ts";
import { leaveBrowser, openBrowser, visitAs } from "./testing/browser.ts";
import { cell, openTable, waitForText } from "./testing/grid.ts";
import { type Product, startProduct } from "./testing/product.ts";

/**
 * A backup of a build before there was one schema (e2e/upgrade/fixture), restored, and a browser tab of that build with unsent edits.
 * Stored data must be found under its former names.
 */

const incidents = "/tables/incidents/records";

describe.each(databases)(
  "a backup of a build before the first release, restored on $name",
  (kind) => {
    let database: TestDatabase;
    let product: Product;
    let owner: TestUser;
    let client: pg.Client;

    beforeAll(async () => {
      database = await restoreReleased(kind);
      const restored = { ...kind, create: async () => database };
      product = await startProduct({ database: restored, withOwner: false });
      owner = await signIn(product.url, facts.owner);
      client = new pg.Client({ connectionString: database.url });
      await client.connect();
    });
    afterAll(async () => {
      await client?.end();
      await product?.close();
    });

    const historyOf = async (record: string) =>
      (await owner.call<{ items: HistoryEntry[] }>("GET", `${incidents}/${record}/history`)).items;

    it("needs no set-up", () => {
      expect(product.setupLink).toBeNull();
    });

    it.each(Object.keys(facts.history))("shows the history of %s as it was", async (record) => {
      const was = (facts.history[record] ?? []).map(({ at, ...entry }) => [entry, moved(at)]);
      const is = (await historyOf(record)).map(({ at, ...entry }) => [entry, Date.parse(at)]);
      expect(is).toEqual(was);
    });

    it("restores a record that was deleted before", async () => {
      await owner.call("POST", `${incidents}/up-trash/restore`);
      const { values } = await owner.record("incidents", "up-trash");
      expect(values.title).toBe("Deleted before the upgrade");
    });

    it("lets its users sign in", async () => {
      const password = "password of Priya Nair";
      const priya = await signIn(product.url, { email: "priya.nair@example.com", password });
      expect(priya.info).toMatchObject({
        id: facts.users.priya,
        name: "Priya Nair",
        role: "editor",
      });
    });

    it("shows a user of a custom role the same rows and fields", async () => {
      const password = "password of Nuno Dias";
      const nuno = await signIn(product.url, { email: "nuno.dias@example.com", password });
      expect(nuno.info).toMatchObject({ role: facts.role, roleName: "Network readers" });
      const { records } = await nuno.call<RecordPage>("GET", `${incidents}?limit=1000`);
      expect(records.map(({ id }) => id)).toContain("up-history");
      for (const { values } of records) {
        expect(values.group).toBe("Network");
        expect(values).not.toHaveProperty("caller");
      }
    });

    it("preserves shared and personal views", async () => {
      const views = await owner.call<{ items: object[] }>("GET", "/views?table=incidents");
      const look = {
        filter: { field: "title", op: "startsWith", value: "Upgrade" },
        sort: ["-title"],
      };
      const expected = [
        { id: facts.views.shared, name: "Shared before", shared: true, ...look },
        { id: facts.views.own, name: "Mine before", shared: false, ...look },
      ];
      for (const view of expected)
        expect(views.items).toContainEqual(expect.objectContaining(view));
    });

    it("preserves the values of a field that was added to its model", async () => {
      const { records } = await owner.page("services", "limit=1000");
      expect(records.filter(({ values }) => values.remark === "Kept")).toHaveLength(1);
    });

    it("has its wallboard, and its display, which is to be paired again", async () => {
      const { items } = await owner.call<{ items: { id: string; boards: string[] }[] }>(
        "GET",
        "/displays",
      );
      expect(items).toMatchObject([{ id: facts.screen.id, boards: [facts.board] }]);
      const board = await owner.call("GET", `/wallboards/${facts.board}`);
      expect(board).toMatchObject({ id: facts.board });
    });

    describe("and a browser tab of it with unsent edits", () => {
      let browser: Browser;
      let page: Page;

      beforeAll(async () => {
        browser = await openBrowser();
        ({ page } = await visitAs(browser, product, facts.owner));
        // A page of the same origin on which no client runs.
        await page.goto(`${product.url}/healthz`);
        await page.evaluate(writeStorage, storedTab);
        const filter = JSON.stringify({ field: "id", op: "startsWith", value: "up-" });
        await openTable(page, product, `incidents?sort=title&filter=${encodeURIComponent(filter)}`);
      });
      afterAll(() => leaveBrowser(browser));

      const stored = storedTab.databases.flatMap(({ stores }) =>
        stores.flatMap(({ values }) => values as StoredMutation[]),
      );
      const isRefused = ({ refusals }: StoredMutation) => Object.keys(refusals).length > 0;

      it("delivers each of them exactly once, and those that were refused not at all", async () => {
        const pending = stored.filter((mutation) => !isRefused(mutation));
        const changes = async () => {
          const { rows } = await client.query<{ mutation: string; count: number }>(
            `select mutation, count(*)::int as count from watchfloor.change
           where mutation = any($1) group by mutation`,
            [stored.map(({ id }) => id)],
          );
          return new Map(rows.map(({ mutation, count }) => [mutation, count]));
        };
        const once = new Map(pending.map(({ id }) => [id, 1]));
        await expect.poll(changes).toEqual(once);
        expect(once.size).toBe(8);
        await page.getByTestId("connection").getByText("Live", { exact: true }).waitFor();
        await page.reload();
        await cell(page, "up-edit", "title").waitFor();
        await expect.poll(() => changes()).toEqual(once);
      });

      it.each([
        ["up-edit", "title", ["Chain two", "Chain one"]],
        ["up-undo", "title", ["Upgrade undo"]],
        ["up-move", "state", ["Active"]],
        // It had arrived before the release was stopped; only the answer had not.
        ["up-sent", "title", []],
      ])("appends to the history of %s what was written to %s", async (record, field, values) => {
        const before = facts.history[record] ?? [];
        const history = await historyOf(record);
        const added = history.slice(0, history.length - before.length);
        expect(added.map(({ fields }) => fields[field]?.after)).toEqual(values);
      });

      it("has deleted the record, and created the new one with its title", async () => {
        await expect(owner.record("incidents", "up-delete")).rejects.toThrow("410");
        const { op, record = "" } = stored
          .flatMap(({ ops }) => ops)
          .find((one) => one.op === "create") as WireOp;
        expect(op).toBe("create");
        const { values } = await owner.record("incidents", record);
        expect(values).toMatchObject({ title: "Made offline", state: "New" });
      });

      it("still lists the refused ones, and lets the user decide", async () => {
        await page.getByRole("button", { name: /^2 to review/ }).click();
        const list = page.getByRole("dialog");
        await list.getByText(/changed the same field/).waitFor();
        await list.getByText("This record was deleted.").waitFor();
        await page.keyboard.press("Escape");
        await cell(page, "up-conflict", "title").click();
        await page.keyboard.press("Enter");
        await page.getByRole("dialog").getByRole("button", { name: "Use mine" }).click();
        await waitForText(cell(page, "up-conflict", "title"), "Mine in conflict");
        await expect
          .poll(async () => (await owner.record("incidents", "up-conflict")).values.title)
          .toBe("Mine in conflict");
      });

      it("preserves the user's settings in this browser, and the model draft of the tab", async () => {
        await expect.poll(() => page.locator("html").getAttribute("data-density")).toBe("compact");
        await page.goto(`${product.url}/admin/model/t/groups`);
        await page.getByText("Not published yet").first().waitFor();
      });
    });
  },
);
