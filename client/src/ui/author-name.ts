import type { Author } from "../../../shared/protocol/record.ts";
import { uiMessages as messages } from "../messages/en/ui.ts";
import { PRODUCT_NAME } from "./product-name.ts";

/** The name of the author of a change: a user, an API token, another program or the server. */
export function authorName({ kind, name }: Pick<Author, "kind" | "name">): string {
  if (kind === "external") return messages.anotherProgram();
  return kind === "system" ? PRODUCT_NAME : name;
}
