import { Group, NativeSelect, Table } from "@mantine/core";
import { IconCircleCheckFilled, IconCircleDashed, IconCircleOff } from "@tabler/icons-react";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import type { UserInfo } from "../../../../shared/protocol/users.ts";
import { attributeText } from "../../access/attribute-text.ts";
import { usersMessages as messages } from "../../messages/en/users.ts";
import { useMe } from "../../state/use-account.ts";
import { Ago } from "../../ui/ago.tsx";
import cells from "../../ui/cells.module.css";
import { narrowPart, wideCell } from "../../ui/list-table.tsx";
import { StatusMark } from "../../ui/status-mark.tsx";
import { toastProblem } from "../../ui/toast.tsx";
import { UserAvatar } from "../../ui/user-avatar.tsx";
import { mayChange, rolesFor } from "./offered-roles.ts";
import { type UserChange, userChangeFor } from "./user-change.ts";
import { UserMenu, type UserTask } from "./user-menu.tsx";
import classes from "./users-table.module.css";

const statuses = {
  active: { tone: "good", label: messages.active, icon: IconCircleCheckFilled },
  invited: { tone: "warn", label: messages.invited, icon: IconCircleDashed },
  disabled: { tone: "quiet", label: messages.disabled, icon: IconCircleOff },
} as const;

interface Props {
  user: UserInfo;
  roles: readonly RoleInfo[];
  onChanged: () => void;
  onTask: (task: UserTask) => void;
}

/** One user. A change is applied immediately and can be undone from its toast. */
export function UserRow({ user, roles, onChanged, onTask }: Props) {
  const me = useMe();
  const change = userChangeFor(user, onChanged);
  return (
    <Table.Tr className={user.status === "disabled" ? classes.off : undefined}>
      <Table.Td>
        <UserCell user={user} isMe={user.id === me.id} />
      </Table.Td>
      <Table.Td>
        <RoleChoice user={user} roles={roles} change={change} />
      </Table.Td>
      <Table.Td className={wideCell}>
        <Attributes user={user} />
      </Table.Td>
      <Table.Td className={wideCell}>
        <Status user={user} />
      </Table.Td>
      <Table.Td className={wideCell} c="dimmed" fz="sm" style={{ whiteSpace: "nowrap" }}>
        {user.lastSeen ? <Ago at={user.lastSeen} /> : messages.never()}
      </Table.Td>
      <Table.Td ta="end">
        {mayChange(me, user) && user.id !== me.id && (
          <UserMenu user={user} change={change} onTask={onTask} />
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function Status({ user: { status } }: { user: UserInfo }) {
  const { label, ...mark } = statuses[status];
  return <StatusMark {...mark} label={label()} />;
}

function UserCell({ user, isMe }: { user: UserInfo; isMe: boolean }) {
  return (
    <div className={classes.who}>
      <UserAvatar name={user.name} colour={user.colour} size={32} decorative />
      <div className={cells.lines}>
        <strong className={cells.title}>
          {isMe ? messages.you({ name: user.name }) : user.name}
        </strong>
        <span className={`${cells.detail} ${classes.mail}`}>{user.email}</span>
        {user.status !== "active" && (
          <div className={narrowPart}>
            <Status user={user} />
          </div>
        )}
      </div>
    </div>
  );
}

function Attributes({ user: { attributes = {} } }: { user: UserInfo }) {
  const entries = Object.entries(attributes);
  if (entries.length === 0) return <span className={cells.detail}>{messages.none()}</span>;
  return (
    <Group component="span" gap={4} align="stretch">
      {entries.map(([name, value]) => (
        <span key={name} className={classes.chip}>
          <span>{name}</span> {attributeText(value)}
        </span>
      ))}
    </Group>
  );
}

function RoleChoice(props: { user: UserInfo; roles: readonly RoleInfo[]; change: UserChange }) {
  const { user, roles, change } = props;
  const me = useMe();
  const offered = rolesFor(me, roles, user.role);
  const setRole = (role: string) => {
    const name = offered.find(({ id }) => id === role)?.name ?? role;
    const back = user.role === undefined ? undefined : { role: user.role };
    const message = messages.roleChanged({ name: user.name, role: name });
    change({ role }, message, back).catch(toastProblem);
  };
  return (
    <NativeSelect
      aria-label={messages.roleOf({ name: user.name })}
      size="xs"
      w={140}
      value={user.role ?? ""}
      disabled={!mayChange(me, user)}
      data={offered.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(event) => setRole(event.currentTarget.value)}
    />
  );
}
