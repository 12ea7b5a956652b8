import { Button } from "@mantine/core";
import { useState } from "react";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import type { UserInfo } from "../../../../shared/protocol/users.ts";
import { usersMessages as messages } from "../../messages/en/users.ts";
import { ListTable } from "../../ui/list-table.tsx";
import type { UserTask } from "./user-menu.tsx";
import { UserRow } from "./user-row.tsx";
import { UserTaskDialog } from "./user-task-dialog.tsx";
import classes from "./users-table.module.css";

interface Props {
  users: readonly UserInfo[];
  /** Including those that the filter hides. */
  allUsers: readonly UserInfo[];
  roles: readonly RoleInfo[];
  onChanged: () => void;
}

/** How many more rows a click shows: long lists make the page slow. */
const ROWS_STEP = 100;

/** One row per user. Small screens show only the name and the role. */
export function UsersTable({ users, allUsers, roles, onChanged }: Props) {
  const [task, setTask] = useState<{ user: string; task: UserTask } | null>(null);
  const [rows, setRows] = useState(ROWS_STEP);
  const taskUser = allUsers.find(({ id }) => id === task?.user);
  return (
    <>
      <ListTable
        label={messages.title()}
        className={classes.users}
        columns={[messages.name(), messages.role()]}
        wideColumns={[messages.attributes(), messages.status(), messages.lastSeen()]}
      >
        {users.slice(0, rows).map((user) => (
          <UserRow
            key={user.id}
            user={user}
            roles={roles}
            onChanged={onChanged}
            onTask={(name) => setTask({ user: user.id, task: name })}
          />
        ))}
      </ListTable>
      {users.length > rows && (
        <Button variant="subtle" mt="md" onClick={() => setRows(rows + ROWS_STEP)}>
          {messages.showMore({ count: users.length - rows })}
        </Button>
      )}
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
