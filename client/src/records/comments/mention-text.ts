import type { CommentUser } from "../../../../shared/protocol/comments.ts";
import { mentionOf, splitMentions } from "../../../../shared/protocol/mentions.ts";

/** Mentions while a text is typed: as `@Name` in the input, as `<@id>` where it is stored. */

type Named = Pick<CommentUser, "id" | "name">;

/** The text as it is typed. Users who no longer exist stay as they are stored. */
export function toTyped(text: string, users: readonly Named[]): string {
  return splitMentions(text)
    .map((part) => {
      if ("text" in part) return part.text;
      const user = users.find(({ id }) => id === part.user);
      return user ? `@${user.name}` : mentionOf(part.user);
    })
    .join("");
}

/** The text as it is stored: each `@Name` of these users is a mention, longer names first. */
export function toStored(typed: string, users: readonly Named[]): string {
  const byLength = [...users].sort((a, b) => b.name.length - a.name.length);
  const names = byLength.map(({ name }) => name.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|");
  if (names === "") return typed;
  return typed.replace(
    new RegExp(`(?<![\\p{L}\\p{N}])@(${names})(?![\\p{L}\\p{N}])`, "gu"),
    (found, name) => {
      const user = byLength.find((one) => one.name === name);
      return user ? mentionOf(user.id) : found;
    },
  );
}

/** The part of a name that is being typed before the caret, after an `@`; null if none is. */
export function mentionBefore(typed: string, caret: number): string | null {
  const [, part] = /(?:^|[\s(])@([^@\n]{0,40})$/u.exec(typed.slice(0, caret)) ?? [];
  return part !== undefined && !/\s\S*\s/.test(part) ? part : null;
}
