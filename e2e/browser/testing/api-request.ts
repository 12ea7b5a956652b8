import type { Page } from "playwright";
import type { Product } from "./product.ts";

/** Calls the API as the user of a page; throws refusals. */
export async function apiRequest<T>(
  page: Page,
  { url }: Pick<Product, "url">,
  method: string,
  path: string,
  data?: object,
): Promise<T> {
  const answer = await page.request.fetch(`${url}/api/v1${path}`, {
    method,
    headers: { origin: url },
    ...(data && { data }),
  });
  if (!answer.ok()) throw new Error(`${answer.status()} ${await answer.text()}`);
  return answer.status() === 204 ? (undefined as T) : ((await answer.json()) as T);
}
