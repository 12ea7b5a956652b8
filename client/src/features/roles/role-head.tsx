import { Anchor, Button, Menu, TextInput } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { Link } from "wouter";
import type { RoleForm } from "../../../../shared/policy/role-tree.ts";
import type { CreateRoleCall, RoleInfo } from "../../../../shared/protocol/roles.ts";
import type { UserInfo } from "../../../../shared/protocol/users.ts";
import { addRole, removeRole } from "../../sync/calls/roles.ts";
import { toast, toastProblem } from "../../ui/toast.tsx";
import { UserAvatar } from "../../ui/user-avatar.tsx";
import { builtInRoleDescriptions } from "./built-in-role-descriptions.ts";
import classes from "./roles.module.css";

interface Props {
  role: RoleInfo;
  form: RoleForm;
  users: readonly UserInfo[];
  changes: number;
  /** Null where the role can't be changed. */
  onForm: ((form: RoleForm) => void) | null;
  onAdded: (role: RoleInfo) => void;
  onRemoved: () => void;
}

const MAX_AVATARS = 5;

/** What the role is called, who has it, and what can be done with it as a whole. */
export function RoleHead({ role, form, users, changes, onForm, onAdded, onRemoved }: Props) {
  const roleUsers = users.filter((user) => user.role === role.id);
  return (
    <header className={classes.head}>
      <div className={classes.naming}>
        {onForm ? (
          <TextInput
            label="Name of the role"
            value={form.name}
            maxLength={120}
            error={form.name.trim() === "" && "A role needs a name."}
            onChange={(event) => onForm({ ...form, name: event.currentTarget.value })}
          />
        ) : (
          <>
            <h2 className={classes.name}>{role.name}</h2>
            <p className={classes.text}>
              {builtInRoleDescriptions[role.id]} Built in: it can't be changed.
            </p>
          </>
        )}
        <p className={classes.people}>
          {roleUsers.slice(0, MAX_AVATARS).map(({ id, name, colour }) => (
            <UserAvatar key={id} name={name} colour={colour} size={22} />
          ))}
          {roleUsers.length > 0 ? (
            <Anchor
              component={Link}
              href={`/admin/users?role=${encodeURIComponent(role.id)}`}
              size="sm"
            >
              {userCountLabel(role.users ?? 0)}
            </Anchor>
          ) : (
            userCountLabel(role.users ?? 0)
          )}
        </p>
      </div>
      <RoleMenu role={role} form={form} changes={changes} onAdded={onAdded} onRemoved={onRemoved} />
    </header>
  );
}

function userCountLabel(count: number): string {
  if (count === 0) return "Nobody has this role.";
  return count === 1 ? "One person has this role." : `${count} people have this role.`;
}

function RoleMenu(props: Pick<Props, "role" | "form" | "changes" | "onAdded" | "onRemoved">) {
  const { role, form, onAdded, onRemoved } = props;
  const userCount = role.users ?? 0;
  const copy = async () => {
    try {
      const { rights, grants } = form;
      const name = `${form.name} (copy)`;
      const made = await addRole({ name, rights, grants } as CreateRoleCall);
      toast(`“${made.name}” was made.`);
      onAdded(made);
    } catch (error) {
      toastProblem(error);
    }
  };
  const remove = async () => {
    try {
      await removeRole(role.id);
      toast(`“${role.name}” is removed.`, () => void restoreRole(role, onAdded));
      onRemoved();
    } catch (error) {
      toastProblem(error);
    }
  };
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button variant="default" rightSection={<IconChevronDown size={15} />}>
          Role
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void copy()}>Make a copy to change</Menu.Item>
        {!role.builtIn && (
          <Menu.Item color="var(--wf-bad)" disabled={userCount > 0} onClick={() => void remove()}>
            Remove
            {userCount > 0 && (
              <span className={classes.why}>Give its people another role first.</span>
            )}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

async function restoreRole(role: RoleInfo, onAdded: Props["onAdded"]): Promise<void> {
  const { name, rights = [], grants = {} } = role;
  try {
    onAdded(await addRole({ name, rights, grants }));
  } catch (error) {
    toastProblem(error);
  }
}
