import { Modal, NativeSelect } from "@mantine/core";
import { builtInRoles } from "../../../../shared/policy/role.ts";
import type { CreateRoleCall, RoleInfo } from "../../../../shared/protocol/roles.ts";
import { rolesMessages as messages } from "../../messages/en/roles.ts";
import { rest } from "../../transport/rest/rest.ts";
import { NameInput } from "../../ui/name-input.tsx";
import { SubmitForm } from "../../ui/submit-form.tsx";

interface Props {
  opened: boolean;
  roles: readonly RoleInfo[];
  onClose: () => void;
  onAdded: (role: RoleInfo) => void;
}

/** Creates a role, empty or as a copy of another one. */
export function NewRoleDialog({ opened, roles, onClose, onAdded }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={messages.newRole()} size={440}>
      <NewRoleForm roles={roles} onClose={onClose} onAdded={onAdded} />
    </Modal>
  );
}

function NewRoleForm({ roles, onClose, onAdded }: Omit<Props, "opened">) {
  const send = async ({ name = "", from = "" }: Record<string, string>) => {
    const like = roles.find(({ id }) => id === from);
    const { rights = [], grants = {} } = like ?? {};
    onAdded(await rest("POST /roles", { body: { name, rights, grants } as CreateRoleCall }));
  };
  const others = roles.filter(({ id }) => id !== "owner" && id !== "display");
  const viewer = builtInRoles.find(({ id }) => id === "viewer")?.id;
  return (
    <SubmitForm send={send} onDone={onClose} action={messages.createRole()}>
      <NameInput label={messages.name()} description={messages.nameText()} />
      <NativeSelect
        name="from"
        label={messages.startWith()}
        defaultValue={viewer}
        data={[
          { value: "", label: messages.noAccess() },
          ...others.map(({ id, name }) => ({ value: id, label: messages.copyOf({ name }) })),
        ]}
      />
    </SubmitForm>
  );
}
