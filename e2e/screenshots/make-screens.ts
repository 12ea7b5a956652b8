import type { Page } from "playwright";
import { apiRequest } from "../browser/testing/api-request.ts";
import type { Demo } from "./run-demo.ts";

/** Further screens of the demo, by the name of their pictures. */
interface MadeScreens {
  paths: Record<string, string>;
  /** The links of users who are not signed in. */
  links: Record<string, string>;
}

/** Makes what the demo has none of: a change set, a webhook, and the links of an invitation and a password reset. */
export async function makeScreens(page: Page, demo: Demo): Promise<MadeScreens> {
  const post = <T>(path: string, body: object) => apiRequest<T>(page, demo, "POST", path, body);
  const record = { table: "incidents", record: "seed-2" };
  const { values } = await apiRequest<{ values: { notes: unknown } }>(
    page,
    demo,
    "GET",
    "/tables/incidents/records/seed-2",
  );
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
    demo,
    "GET",
    "/users",
  );
  const sam = items.find(({ email }) => email === "sam@example.com");
  const reset = await post<{ link: string }>(`/users/${sam?.id}/password-reset`, {});
  return {
    paths: { "change-set": `/changes/${set.id}`, webhook: `/admin/webhooks/${hook.id}` },
    links: { invitation, "password-reset": reset.link },
  };
}
