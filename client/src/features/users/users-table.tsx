import { Group, NativeSelect } from "@mantine/core";
import { IconCircleCheckFilled, IconCircleDashed, IconCircleOff } from "@tabler/icons-react";
import { useState } from "react";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import type { UserInfo } from "../../../../shared/protocol/users.ts";
import { attributeText } from "../../access/attribute-text.ts";
import { usersMessages as messages } from "../../messages/en/users.ts";
import { useMe } from "../../state/use-account.ts";
import { Ago } from "../../ui/ago.tsx";
import cells from "../../ui/cells.module.css";
import { narrowPart, ResourceList } from "../../ui/resource-list.tsx";
import { StatusMark } from "../../ui/status-mark.tsx";
import { Hint } from "../../ui/texts.ts";
import { toastProblem } from "../../ui/toast.tsx";
import { UserAvatar } from "../../ui/user-avatar.tsx";
import { mayChange, rolesFor } from "./offered-roles.ts";
import { userChangeFor } from "./user-change.ts";
import { UserMenu, type UserTask } from "./user-menu.tsx";
import { UserTaskDialog } from "./user-task-dialog.tsx";
import classes from "./users-table.module.css";

const statuses = {
  active: { tone: "good", label: messages.active, icon: IconCircleCheckFilled },
  invited: { tone: "warn", label: messages.invited, icon: IconCircleDashed },
  disabled: { tone: "quiet", label: messages.disabled, icon: IconCircleOff },
} as const;

interface Props {
  users: readonly UserInfo[];
  /** Including those that the filter hides. */
  allUsers: readonly UserInfo[];
  roles: readonly RoleInfo[];
  onChanged: () => void;
}

/** The users. A change is applied immediately and can be undone from its toast. Small screens show only the name and the role. */
export function UsersTable({ users, allUsers, roles, onChanged }: Props) {
  const me = useMe();
  const [task, setTask] = useState<{ user: string; task: UserTask } | null>(null);
  const taskUser = allUsers.find(({ id }) => id === task?.user);
  return (
    <>
      <ResourceList
        label={messages.title()}
        className={classes.users}
        items={users}
        keyOf={({ id }) => id}
        rowClass={({ status }) => (status === "disabled" ? classes.off : undefined)}
        columns={[
          {
            name: messages.name(),
            cell: (user) => <UserCell user={user} isMe={user.id === me.id} />,
          },
          {
            name: messages.role(),
            cell: (user) => <RoleChoice user={user} roles={roles} onChanged={onChanged} />,
          },
          { name: messages.attributes(), wide: true, cell: (user) => <Attributes user={user} /> },
          { name: messages.status(), wide: true, cell: (user) => <Status user={user} /> },
          {
            name: messages.lastSeen(),
            wide: true,
            cell: ({ lastSeen }) => (
              <Hint span textWrap="nowrap">
                {lastSeen ? <Ago at={lastSeen} /> : messages.never()}
              </Hint>
            ),
          },
        ]}
        actions={(user) =>
          mayChange(me, user) &&
          user.id !== me.id && (
            <UserMenu
              user={user}
              change={userChangeFor(user, onChanged)}
              onTask={(name) => setTask({ user: user.id, task: name })}
            />
          )
        }
      />
      {task && taskUser && (
        <UserTaskDialog
          user={taskUser}
          users={allUsers}
          task={task.task}
          onChanged={onChanged}
          onClose={() => setTask(null)}
        />
      )}
    </>
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

function RoleChoice(props: Pick<Props, "roles" | "onChanged"> & { user: UserInfo }) {
  const { user, roles, onChanged } = props;
  const me = useMe();
  const change = userChangeFor(user, onChanged);
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
      disabled={!mayChange(me, user) || Boolean(user.roleProvider)}
      description={user.roleProvider ? messages.byGroup() : undefined}
      inputWrapperOrder={["input", "description"]}
      data={offered.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(event) => setRole(event.currentTarget.value)}
    />
  );
}
