// Covers: client/src/features/grid client/src/sync
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { boxAtRest } from "./testing/box-at-rest.ts";
import { launchOnScreen, visitAs } from "./testing/browser.ts";
import { cell, openTable } from "./testing/grid.ts";
import { addParcels, makeParcels } from "./testing/parcels.ts";
import { openProduct, owner } from "./testing/product.ts";
import { pressInMenu } from "./testing/view-menu.ts";

const { browser, product } = await openProduct();

beforeAll(async () => {
  const { page, leave } = await visitAs(browser, product, owner);
  await addParcels(page, product);
  await leave();
});

interface Clip {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The colours of the pixels of a part of the screen, line by line. */
async function pixelsOf(page: Page, { x, y, width, height }: Clip): Promise<string[][]> {
  // As a whole: the pixels of a part that begins between two would be mixed.
  const image = (await page.screenshot()).toString("base64");
  const part = [x, y, width, height] as const;
  const cut = async ([encoded, clip]: readonly [string, typeof part]) => {
    const bytes = Uint8Array.from(atob(encoded), (one) => one.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const [left, top, columns, lines] = clip.map((length) =>
      Math.round(length * devicePixelRatio),
    ) as [number, number, number, number];
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    if (!canvas) throw new Error("The browser has no canvas.");
    canvas.drawImage(bitmap, 0, 0);
    const { data } = canvas.getImageData(left, top, columns, lines);
    const colourAt = (column: number, line: number) => {
      const from = (line * columns + column) * 4;
      return data.slice(from, from + 3).join(",");
    };
    return Array.from({ length: lines }, (_line, line) =>
      Array.from({ length: columns }, (_pixel, column) => colourAt(column, line)),
    );
  };
  return page.evaluate(cut, [image, part] as const);
}

/** The colour of the line, as the screen has it. */
function accentOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const probe = document.createElement("i");
    probe.style.color = "var(--wf-accent)";
    document.body.append(probe);
    const [red, green, blue] = getComputedStyle(probe).color.match(/[\d.]+/g) ?? [];
    probe.remove();
    return [red, green, blue].join(",");
  });
}

const transposed = (pixels: string[][]) =>
  (pixels[0] ?? []).map((_pixel, x) => pixels.map((line) => line[x] ?? ""));

/** How many lines of pixels have the colour from end to end, and how many others have it anywhere. */
function countLines(lines: string[][], colour: string): { whole: number; broken: number } {
  const shares = lines.map((line) => line.filter((one) => one === colour).length / line.length);
  return {
    whole: shares.filter((share) => share === 1).length,
    broken: shares.filter((share) => share > 0 && share < 1).length,
  };
}

const schemes = ["light", "dark"] as const;

describe("the lines around a range", () => {
  for (const pixels of [1, 1.25, 2]) {
    for (const colorScheme of schemes) {
      it(`have no gaps and are sharp at ${pixels} pixels, ${colorScheme}`, async () => {
        const screen = await launchOnScreen(pixels);
        const look = { viewport: null, colorScheme };
        const { page } = await visitAs(screen, product, owner, look);
        // No other user is in these cells.
        const series = `lines-${pixels * 100}-${colorScheme}`;
        const { ids, path } = await makeParcels(page, product, { series, count: 8 });
        await openTable(page, product, path);
        for (const pinned of [false, true]) {
          if (pinned) {
            await page.locator('.ag-header-cell[col-id="name"]').press("Alt+Enter");
            await pressInMenu(page.getByRole("menuitem", { name: "Pin left" }), "Enter");
            await page.locator('.ag-grid-pinned-left-cells [col-id="name"]').first().waitFor();
          }
          const at = (index: number) => cell(page, ids[index] ?? "", "name");
          await at(2).click();
          for (let row = 3; row <= 5; row += 1) await page.keyboard.press("Shift+ArrowDown");
          await page.getByTestId("range").getByText("4 cells", { exact: true }).waitFor();
          await page.mouse.move(2, 2);
          const [first, last] = [await boxAtRest(at(2)), await boxAtRest(at(5))];
          const [top, bottom] = [first.y, last.y + last.height];
          // Below the cell with the focus, which has a line of its own.
          const from = (await boxAtRest(at(3))).y + 4;
          const left = { x: first.x - 4, y: from, width: 10, height: bottom - from - 4 };
          const upper = { x: first.x + 4, y: top - 4, width: first.width - 8, height: 10 };
          const accent = await accentOf(page);
          const right = { ...left, x: first.x + first.width - 6, height: left.height - 6 };
          const lower = { ...upper, y: bottom - 6, width: upper.width - 8 };
          const sides = [
            ...[left, right].map(async (side) => transposed(await pixelsOf(page, side))),
            ...[upper, lower].map((side) => pixelsOf(page, side)),
          ];
          // A line is a whole number of the screen's pixels, as browsers draw borders. Where the scale is no whole number, the grid's header
          // ends between two of them (its border is 1 px), and the line of a row may lose one.
          const whole = Math.floor(2 * pixels);
          const least = Number.isInteger(pixels) ? whole : whole - 1;
          for (const lines of await Promise.all(sides)) {
            const counts = countLines(lines, accent);
            expect(counts.broken).toBe(0);
            expect(counts.whole).toBeGreaterThanOrEqual(least);
            expect(counts.whole).toBeLessThanOrEqual(whole);
          }
        }
        await screen.close();
      });
    }
  }
});
