import { rolesMessages as messages } from "../../messages/en/roles.ts";
/** What the built-in roles are for. */
export const builtInRoleDescriptions: Readonly<Record<string, () => string>> = {
  owner: messages.owner,
  admin: messages.admin,
  editor: messages.editor,
  viewer: messages.viewer,
  display: messages.displayRole,
};
