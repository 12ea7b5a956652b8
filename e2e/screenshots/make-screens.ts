import type { Page } from "playwright";
import { apiRequest } from "../browser/testing/api-request.ts";

/** Further screens, by the name of their pictures. */
interface MadeScreens {
  paths: Record<string, string>;
  /** The links of users who are not signed in. */
  links: Record<string, string>;
}

/**
 * Makes what the service desk has none of: a comment, a change set, an empty wallboard, a webhook, an API token, and the links of an invitation and of
 * a password reset, for the user with this email.
 */
export async function makeScreens(
  page: Page,
  product: { url: string },
  email: string,
): Promise<MadeScreens> {
  const post = <T>(path: string, body: object) => apiRequest<T>(page, product, "POST", path, body);
  const record = { table: "incidents", record: "seed-2" };
  const { values } = await apiRequest<{ values: { notes: unknown } }>(
    page,
    product,
    "GET",
    "/tables/incidents/records/seed-2",
  );
  await post("/comments", { ...record, text: "On my way" });
  await post("/tokens", { name: "Nightly export", role: "viewer" });
  const update = {
    op: "update",
    ...record,
    set: { notes: "Checked" },
    base: { notes: values.notes },
  };
  const create = { op: "create", table: "groups", values: { name: "Late shift" } };
  const set = await post<{ id: string }>("/change-sets", {
    title: "Late shift",
    ops: [update, create],
  });
  const wallboard = await post<{ id: string }>("/wallboards", { name: "Lobby", tiles: [] });
  const hook = await post<{ id: string }>("/webhooks", {
    name: "Chat",
    url: "https://chat.example.com/hooks/incidents",
    table: "incidents",
    events: ["created", "updated"],
  });
  const user = { email: "kim@example.com", name: "Kim Doe", role: "editor" };
  const { invitation } = await post<{ invitation: string }>("/users", user);
  const { items } = await apiRequest<{ items: { id: string; email: string }[] }>(
    page,
    product,
    "GET",
    "/users",
  );
  const other = items.find((one) => one.email === email);
  const reset = await post<{ link: string }>(`/users/${other?.id}/password-reset`, {});
  return {
    paths: {
      "change-set": `/changes/${set.id}`,
      "designer-empty": `/wallboards/${wallboard.id}`,
      webhook: `/admin/webhooks/${hook.id}`,
    },
    links: { invitation, "password-reset": reset.link },
  };
}
