import { listRoles } from "../../sync/calls/users.ts";
import { useRemote } from "../../ui/use-remote.ts";
import { AddUserDialog } from "./add-user-dialog.tsx";

/** Adds a user from any screen. */
export function UserSheet({ onClose }: { onClose(): void }) {
  const { data: roles } = useRemote(listRoles);
  return roles && <AddUserDialog opened roles={roles} onClose={onClose} onAdded={() => {}} />;
}
