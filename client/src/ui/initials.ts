/** One or two initials for a user's avatar. */
export function initialsOf(name: string): string {
  const parts = name.trim().split(/\s+/);
  const first = [...(parts[0] ?? "")][0] ?? "?";
  const last = parts.length > 1 ? ([...(parts.at(-1) ?? "")][0] ?? "") : "";
  return (first + last).toUpperCase();
}
