import type { UserInfo } from "../../../../shared/protocol/users.ts";

/** Which users the list shows; empty values match all. */
export interface UserFilter {
  text: string;
  /** A role's id. */
  role: string;
  status: UserInfo["status"] | "";
}

/** The users that match. Each word of the text must occur in name, email or attributes. */
export function filterUsers(
  users: readonly UserInfo[],
  { text, role, status }: UserFilter,
): UserInfo[] {
  const terms = text.toLowerCase().split(/\s+/).filter(Boolean);
  return users.filter((user) => {
    if (role && user.role !== role) return false;
    if (status && user.status !== status) return false;
    const searchText =
      `${user.name} ${user.email ?? ""} ${attributeSearchText(user)}`.toLowerCase();
    return terms.every((term) => searchText.includes(term));
  });
}

function attributeSearchText({ attributes = {} }: UserInfo): string {
  return Object.values(attributes)
    .flat()
    .filter((value) => typeof value !== "object")
    .join(" ");
}
