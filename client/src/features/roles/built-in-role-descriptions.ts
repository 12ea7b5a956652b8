/** What the built-in roles are for; they are the same in every installation. */
export const builtInRoleDescriptions: Readonly<Record<string, string>> = {
  owner: "May do everything, and alone makes or changes owners. There is always at least one.",
  admin: "May do everything but make or change owners.",
  editor: "Works on the records of all tables, and administers nothing.",
  viewer: "Reads all tables and their history, and changes nothing.",
  display: "For screens on the wall: sees only what the tiles of its boards show.",
};
