import { Anchor, Button, Group, Menu, Stack, Text, TextInput } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { Link } from "wouter";
import type { RoleForm } from "../../../../shared/policy/role-tree.ts";
import type { CreateRoleCall, RoleInfo } from "../../../../shared/protocol/roles.ts";
import type { UserInfo } from "../../../../shared/protocol/users.ts";
import { rolesMessages as messages } from "../../messages/en/roles.ts";
import { rest } from "../../transport/rest/rest.ts";
import { noFill } from "../../ui/no-fill.ts";
import { Hint } from "../../ui/texts.ts";
import { toast, toastProblem } from "../../ui/toast.tsx";
import { UserAvatar } from "../../ui/user-avatar.tsx";
import classes from "./roles.module.css";

/** What the built-in roles are for. */
const builtInRoleDescriptions: Readonly<Record<string, () => string>> = {
  owner: messages.owner,
  admin: messages.admin,
  editor: messages.editor,
  viewer: messages.viewer,
  display: messages.displayRole,
};

interface Props {
  role: RoleInfo;
  form: RoleForm;
  users: readonly UserInfo[];
  changes: number;
  /** Null if the role can't be changed. */
  onForm: ((form: RoleForm) => void) | null;
  onAdded: (role: RoleInfo) => void;
  onRemoved: () => void;
}

const MAX_AVATARS = 5;

/** The role's name, its users, and its menu. */
export function RoleHead({ role, form, users, changes, onForm, onAdded, onRemoved }: Props) {
  const roleUsers = users.filter((user) => user.role === role.id);
  return (
    <Group component="header" gap={16} align="flex-start" justify="space-between" wrap="nowrap">
      <Stack gap={8} flex={1} maw={420}>
        {onForm ? (
          <TextInput
            {...noFill}
            label={messages.roleName()}
            value={form.name}
            maxLength={120}
            error={form.name.trim() === "" && messages.nameRequired()}
            onChange={(event) => onForm({ ...form, name: event.currentTarget.value })}
          />
        ) : (
          <>
            <Text component="h2" fz="xl" fw={600} lts="-0.01em">
              {role.name}
            </Text>
            <Hint maw="64ch" textWrap="pretty">
              {builtInRoleDescriptions[role.id]?.()} {messages.builtInText()}
            </Hint>
          </>
        )}
        <p className={classes.users}>
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
      </Stack>
      <RoleMenu role={role} form={form} changes={changes} onAdded={onAdded} onRemoved={onRemoved} />
    </Group>
  );
}

function userCountLabel(count: number): string {
  return messages.roleUsers({ count });
}

function RoleMenu(props: Pick<Props, "role" | "form" | "changes" | "onAdded" | "onRemoved">) {
  const { role, form, onAdded, onRemoved } = props;
  const userCount = role.users ?? 0;
  const copy = async () => {
    const { rights, grants } = form;
    const name = messages.copyName({ name: form.name });
    const made = await rest("POST /roles", { body: { name, rights, grants } as CreateRoleCall });
    toast(messages.created({ name: made.name }));
    onAdded(made);
  };
  const restore = async () => {
    const { name, rights = [], grants = {} } = role;
    onAdded(await rest("POST /roles", { body: { name, rights, grants } }));
  };
  const remove = async () => {
    await rest("DELETE /roles/{id}", { params: { id: role.id } });
    toast(messages.removed({ name: role.name }), () => void restore().catch(toastProblem));
    onRemoved();
  };
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button variant="default" rightSection={<IconChevronDown size={15} />}>
          {messages.actions()}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void copy().catch(toastProblem)}>
          {messages.duplicate()}
        </Menu.Item>
        {!role.builtIn && (
          <Menu.Item
            color="var(--wf-bad)"
            disabled={userCount > 0}
            onClick={() => void remove().catch(toastProblem)}
          >
            {messages.remove()}
            {userCount > 0 && (
              <Hint span display="block" fz="xs" fw={400}>
                {messages.removeBlocked()}
              </Hint>
            )}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
