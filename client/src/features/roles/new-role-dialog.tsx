import { Button, Modal, NativeSelect, Stack, TextInput } from "@mantine/core";
import { builtInRoles } from "../../../../shared/policy/role.ts";
import type { CreateRoleCall, RoleInfo } from "../../../../shared/protocol/roles.ts";
import { addRole } from "../../sync/calls/roles.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { useSubmit } from "../../ui/use-submit.ts";

interface Props {
  opened: boolean;
  roles: readonly RoleInfo[];
  onClose: () => void;
  onAdded: (role: RoleInfo) => void;
}

/** Makes a role: with nothing in it, or begun with what another one has. */
export function NewRoleDialog({ opened, roles, onClose, onAdded }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title="New role" size={440} padding="xl">
      <NewRoleForm
        roles={roles}
        onAdded={(role) => {
          onClose();
          onAdded(role);
        }}
      />
    </Modal>
  );
}

function NewRoleForm({ roles, onAdded }: Pick<Props, "roles" | "onAdded">) {
  const { submit, busy, problem } = useSubmit(async ({ name = "", from = "" }) => {
    const like = roles.find(({ id }) => id === from);
    const { rights = [], grants = {} } = like ?? {};
    onAdded(await addRole({ name, rights, grants } as CreateRoleCall));
  });
  const others = roles.filter(({ id }) => id !== "owner" && id !== "display");
  const viewer = builtInRoles.find(({ id }) => id === "viewer")?.id;
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <FormProblem problem={problem} />
        <TextInput
          name="name"
          label="Name"
          description="What people with this role are: “Network desk”, “Night shift”."
          required
          withAsterisk={false}
          autoComplete="off"
          maxLength={120}
          data-autofocus
        />
        <NativeSelect
          name="from"
          label="Begin with"
          defaultValue={viewer}
          data={[
            { value: "", label: "Nothing allowed" },
            ...others.map(({ id, name }) => ({ value: id, label: `What “${name}” may` })),
          ]}
        />
        <Button type="submit" loading={busy} mt="xs">
          Make the role
        </Button>
      </Stack>
    </form>
  );
}
