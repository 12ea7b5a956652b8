import { Fragment, type ReactNode } from "react";

/**
 * A text with elements in it: `<name>…</name>` becomes what `tags.name` returns for its content. Tags don't nest.
 * Texts come from the catalogue; values that are filled in are data, so an angle bracket in them is no tag of `tags`
 * unless it names one: pass such values through the tag's function instead.
 */
export function richText(
  text: string,
  tags: Readonly<Record<string, (content: string) => ReactNode>>,
): ReactNode {
  const parts = text.split(/<(\w+)>(.*?)<\/\1>/);
  return parts.map((part, index) => {
    if (index % 3 === 1) return null;
    const tag = index % 3 === 2 ? tags[parts[index - 1] ?? ""] : undefined;
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity.
    return <Fragment key={index}>{tag ? tag(part) : part}</Fragment>;
  });
}
