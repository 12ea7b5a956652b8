/** A mention within a text: `<@` the user's id `>`. Names are added by whoever shows it. */
const MENTION = /<@([\w-]{1,64})>/g;

/** The mention of a user as it is stored. */
export const mentionOf = (user: string) => `<@${user}>`;

/** The ids of the mentioned users, each once. */
export function mentionedUsers(text: string): string[] {
  return [...new Set([...text.matchAll(MENTION)].map(([, id = ""]) => id))];
}

/** A text in parts: plain text, and the ids of mentioned users. */
export function splitMentions(text: string): ({ text: string } | { user: string })[] {
  return text
    .split(MENTION)
    .map((part, index) => (index % 2 === 0 ? { text: part } : { user: part }))
    .filter((part) => !("text" in part) || part.text !== "");
}
