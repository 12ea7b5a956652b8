import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUserPlus, IconUserSearch } from "@tabler/icons-react";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { useUserUpdates } from "../../state/use-user-updates.ts";
import { listRoles, listUsers } from "../../sync/calls/users.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formatCount } from "../../ui/numbers.ts";
import { Page } from "../../ui/page.tsx";
import { ScreenSkeleton } from "../../ui/screen-skeleton.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import { useTitle } from "../../ui/use-title.ts";
import { AddUserDialog } from "./add-user-dialog.tsx";
import { filterUsers, type UserFilter } from "./filter-users.ts";
import classes from "./users-table.module.css";
import { UsersTable } from "./users-table.tsx";
import { UsersToolbar } from "./users-toolbar.tsx";

/** What other admins do is told; when somebody was last seen is not, and shows within this time. */
const REFRESH_MS = 60_000;

async function load() {
  const [users, roles] = await Promise.all([listUsers(), listRoles()]);
  return { users, roles };
}

const noFilter: UserFilter = { text: "", role: "", status: "" };

/** Everybody who may sign in: find, add, change what they are, disable, remove. */
export function UsersScreen() {
  useTitle("Users");
  const [params] = useSearchParams();
  const { data, problem, reload } = useRemote(load, REFRESH_MS, useUserUpdates());
  const [filter, setFilter] = useState<UserFilter>({ ...noFilter, role: params.get("role") ?? "" });
  const [adding, { open, close }] = useDisclosure(false);
  if (!data) {
    return problem ? <UsersUnavailable problem={problem} onRetry={reload} /> : <ScreenSkeleton />;
  }
  const shown = filterUsers(data.users, filter);
  return (
    <Page
      title="Users"
      lead="Who may sign in, and as what. A change of role takes effect at once, also on screens that are open."
      actions={
        <Button leftSection={<IconUserPlus size={16} />} onClick={open}>
          Add a user
        </Button>
      }
    >
      <FormProblem problem={problem} />
      <UsersToolbar users={data.users} roles={data.roles} filter={filter} onFilter={setFilter} />
      <p className={classes.total} role="status">
        {shown.length === data.users.length
          ? `${formatCount(shown.length)} ${shown.length === 1 ? "user" : "users"}`
          : `${formatCount(shown.length)} of ${formatCount(data.users.length)} users`}
      </p>
      {shown.length > 0 ? (
        <UsersTable users={shown} allUsers={data.users} roles={data.roles} onChanged={reload} />
      ) : (
        <Notice
          icon={<IconUserSearch size={28} stroke={1.5} />}
          title="Nobody matches"
          text="No user has this name, role and status."
        >
          <Button variant="light" onClick={() => setFilter(noFilter)}>
            Show everybody
          </Button>
        </Notice>
      )}
      <AddUserDialog opened={adding} roles={data.roles} onClose={close} onAdded={reload} />
    </Page>
  );
}

function UsersUnavailable({ problem, onRetry }: { problem: string; onRetry: () => void }) {
  return (
    <Notice
      icon={<IconUserSearch size={28} stroke={1.5} />}
      title="The users can't be read just now"
      text={problem}
    >
      <Button onClick={onRetry}>Try again</Button>
    </Notice>
  );
}
