import type { UserInfo } from "../../../../shared/protocol/users.ts";

/** Whom the list shows: everybody unless told. */
export interface Wanted {
  text: string;
  /** A role's id; empty for all. */
  role: string;
  status: UserInfo["status"] | "";
}

/** The users that are wanted. The text is looked for in name, email and attributes, word by word. */
export function narrowUsers(
  users: readonly UserInfo[],
  { text, role, status }: Wanted,
): UserInfo[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return users.filter((user) => {
    if (role && user.role !== role) return false;
    if (status && user.status !== status) return false;
    const told = `${user.name} ${user.email ?? ""} ${attributeWords(user)}`.toLowerCase();
    return words.every((word) => told.includes(word));
  });
}

function attributeWords({ attributes = {} }: UserInfo): string {
  return Object.values(attributes)
    .flat()
    .filter((value) => typeof value !== "object")
    .join(" ");
}
