import { Button } from "@mantine/core";
import { useState } from "react";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import type { UserInfo } from "../../../../shared/protocol/users.ts";
import { ListTable } from "../../ui/list-table.tsx";
import classes from "./people-table.module.css";
import type { PersonTask } from "./person-menu.tsx";
import { PersonRow } from "./person-row.tsx";
import { PersonTaskDialog } from "./person-task.tsx";

interface Props {
  users: readonly UserInfo[];
  /** Also those that are not shown. */
  everybody: readonly UserInfo[];
  roles: readonly RoleInfo[];
  onChanged: () => void;
}

/** More rows than one reads at once only make the page slow. */
const ROWS_STEP = 100;

/** Users, one a row. On small screens only what identifies a person and their role stay. */
export function PeopleTable({ users, everybody, roles, onChanged }: Props) {
  const [task, setTask] = useState<{ user: string; task: PersonTask } | null>(null);
  const [rows, setRows] = useState(ROWS_STEP);
  const doing = everybody.find(({ id }) => id === task?.user);
  return (
    <>
      <ListTable
        label="Users"
        className={classes.users}
        columns={["Name", "Role"]}
        wideColumns={["Attributes", "Status", "Last seen"]}
      >
        {users.slice(0, rows).map((user) => (
          <PersonRow
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
      {task && doing && (
        <PersonTaskDialog
          user={doing}
          users={everybody}
          task={task.task}
          onChanged={onChanged}
          onClose={() => setTask(null)}
        />
      )}
    </>
  );
}
