import { describe, expect, it } from "vitest";
import type { PreviewItem, PreviewStatus } from "../../shared/protocol/change-sets.ts";
import { EvaluatedItems, type Page } from "./evaluated-items.ts";

const VALUE_BYTES = 1_000;
const OPS = 100;
const value = "x".repeat(VALUE_BYTES);
const item = (index: number, status: PreviewStatus): PreviewItem => ({
  ...{ index, op: "update", table: "incidents", record: `r${index}`, status },
  ...{ before: { notes: value }, after: { notes: value }, errors: [] },
});

/** Every tenth op is refused. */
function evaluated(page: Page, maxBytes: number): EvaluatedItems {
  const items = new EvaluatedItems(page, maxBytes);
  for (let index = 0; index < OPS; index += 1) {
    items.add(item(index, index % 10 === 9 ? "error" : "update"));
  }
  return items;
}

const indexesOf = (page: ReturnType<EvaluatedItems["page"]>) =>
  page?.items.map(({ index }) => index);

describe("the items of an evaluation", () => {
  it("G1 hold the values of a page and those after it, up to a number of bytes", () => {
    const maxBytes = 20 * VALUE_BYTES;
    const items = evaluated({ offset: 40, limit: 5 }, maxBytes);
    expect(items.heldBytes).toBeLessThanOrEqual(maxBytes);
    expect(indexesOf(items.page({ offset: 40, limit: 5 }))).toEqual([40, 41, 42, 43, 44]);
    expect(indexesOf(items.page({ offset: 45, limit: 2 }))).toEqual([45, 46]);
    expect(items.page({ offset: 70, limit: 5 })).toBeNull();
    expect(items.page({ offset: 0, limit: 5 })).toBeNull();
  });

  it("G1 hold the page itself, also where it is larger, and count all ops", () => {
    const page: Page = { offset: 2, limit: 3, status: "error" };
    const items = evaluated(page, 1);
    expect(items.heldBytes).toBeLessThan(4 * 2 * VALUE_BYTES);
    const found = items.page(page);
    expect(indexesOf(found)).toEqual([29, 39, 49]);
    expect(found).toMatchObject({ total: 10, counts: { update: 90, error: 10 } });
  });
});
