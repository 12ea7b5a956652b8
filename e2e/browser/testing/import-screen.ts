import type { Page } from "playwright";
import type { ChangeSetInfo } from "../../../shared/protocol/change-sets.ts";
import { until } from "../../harness/until.ts";
import { apiRequest } from "./api-request.ts";
import { goToTable } from "./grid.ts";
import type { Product } from "./product.ts";
import { chooseTool } from "./view-menu.ts";

/** The screen that imports a file, on a page that is opened later. */
export function importScreen(page: () => Page, product: Product) {
  const click = (name: string | RegExp) => page().getByRole("button", { name }).click();
  const region = (name: string) => page().getByRole("region", { name });
  const fieldOf = (column: string) => page().getByLabel(`Field for the column ${column}`);

  /** Opens the screen from the table's toolbar, and chooses a file. */
  async function chooseFile(table: string, name: string, content: string | Buffer) {
    await goToTable(page(), product, table);
    await chooseTool(page(), "Import");
    await page()
      .getByRole("heading", { level: 1, name: /^Import into/ })
      .waitFor();
    const buffer = Buffer.from(content as string);
    await page().locator("input[type=file]").setInputFiles({ name, mimeType: "text/csv", buffer });
    await region("First rows of the file").waitFor();
  }

  async function preview(): Promise<string> {
    await click("Preview changes");
    await page().waitForURL(/\/changes\/[^/]+$/);
    await region("Imported file").waitFor();
    return page().url().split("/").at(-1) as string;
  }

  const hasState = (id: string, state: string) =>
    until(`the set is ${state}`, 120_000, async () => {
      const info = await apiRequest<ChangeSetInfo>(page(), product, "GET", `/change-sets/${id}`);
      return info.state === state;
    });
  const wait = (text: string | RegExp) => page().getByText(text).first().waitFor();
  return { click, region, fieldOf, chooseFile, preview, hasState, wait };
}
