import type { Browser } from "playwright";
import { type Visitor, visitAs } from "./browser.ts";
import { openProduct, owner, type Product, type ProductOptions } from "./product.ts";

const colleague = { email: "ana@example.com", password: "another long sentence" };

/** Two signed-in users with screens of their own: the owner, and Ana, who is an editor. */
export async function twoUsers(
  browser: Browser,
  product: Product,
): Promise<{ mara: Visitor; ana: Visitor }> {
  const mara = await visitAs(browser, product, owner);
  const answer = await mara.page.request.post(`${product.url}/api/v1/users`, {
    data: { ...colleague, name: "Ana Lopes", role: "editor" },
    headers: { origin: product.url },
  });
  if (!answer.ok()) throw new Error(`${answer.status()} ${await answer.text()}`);
  return { mara, ana: await visitAs(browser, product, colleague) };
}

/** A product for all tests of a file, with the pages of both users. Visitors hold what a page logged, too. */
export async function openTwoUsers(options: ProductOptions = {}) {
  const { browser, product } = await openProduct(options);
  const users = await twoUsers(browser, product);
  return { browser, product, users, mara: users.mara.page, ana: users.ana.page };
}
