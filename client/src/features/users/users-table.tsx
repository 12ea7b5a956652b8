import { Button } from "@mantine/core";
import { useState } from "react";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import type { UserInfo } from "../../../../shared/protocol/users.ts";
import { ListTable } from "../../ui/list-table.tsx";
import type { UserTask } from "./user-menu.tsx";
import { UserRow } from "./user-row.tsx";
import { UserTaskDialog } from "./user-task-dialog.tsx";
import classes from "./users-table.module.css";

interface Props {
  users: readonly UserInfo[];
  /** Also those that are not shown. */
  allUsers: readonly UserInfo[];
  roles: readonly RoleInfo[];
  onChanged: () => void;
}

/** More rows than one reads at once only make the page slow. */
const ROWS_STEP = 100;

/** Users, one a row. On small screens only what identifies a person and their role stay. */
export function UsersTable({ users, allUsers, roles, onChanged }: Props) {
  const [task, setTask] = useState<{ user: string; task: UserTask } | null>(null);
  const [rows, setRows] = useState(ROWS_STEP);
  const taskUser = allUsers.find(({ id }) => id === task?.user);
  return (
    <>
      <ListTable
        label="Users"
        className={classes.users}
        columns={["Name", "Role"]}
        wideColumns={["Attributes", "Status", "Last seen"]}
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
          Show more ({users.length - rows})
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
