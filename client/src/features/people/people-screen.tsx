import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUserPlus, IconUserSearch } from "@tabler/icons-react";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { usePeopleNews } from "../../state/use-people-news.ts";
import { listRoles, listUsers } from "../../sync/calls/users.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formatCount } from "../../ui/numbers.ts";
import { Page } from "../../ui/page.tsx";
import { ScreenSkeleton } from "../../ui/screen-skeleton.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import { useTitle } from "../../ui/use-title.ts";
import { AddPersonDialog } from "./add-person-dialog.tsx";
import { narrowUsers, type Wanted } from "./narrow-users.ts";
import classes from "./people-table.module.css";
import { PeopleTable } from "./people-table.tsx";
import { PeopleTools } from "./people-tools.tsx";

/** What other admins do is told; when somebody was last seen is not, and shows within this time. */
const REFRESH_MS = 60_000;

async function load() {
  const [users, roles] = await Promise.all([listUsers(), listRoles()]);
  return { users, roles };
}

const nobody: Wanted = { text: "", role: "", status: "" };

/** Everybody who may sign in: find, add, change what they are, disable, remove. */
export function PeopleScreen() {
  useTitle("Users");
  const [params] = useSearchParams();
  const { data, problem, reload } = useRemote(load, REFRESH_MS, usePeopleNews());
  const [wanted, setWanted] = useState<Wanted>({ ...nobody, role: params.get("role") ?? "" });
  const [adding, { open, close }] = useDisclosure(false);
  if (!data) {
    return problem ? <Unread problem={problem} onRetry={reload} /> : <ScreenSkeleton />;
  }
  const shown = narrowUsers(data.users, wanted);
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
      <PeopleTools users={data.users} roles={data.roles} wanted={wanted} onWanted={setWanted} />
      <p className={classes.total} role="status">
        {shown.length === data.users.length
          ? `${formatCount(shown.length)} ${shown.length === 1 ? "user" : "users"}`
          : `${formatCount(shown.length)} of ${formatCount(data.users.length)} users`}
      </p>
      {shown.length > 0 ? (
        <PeopleTable users={shown} everybody={data.users} roles={data.roles} onChanged={reload} />
      ) : (
        <Notice
          icon={<IconUserSearch size={28} stroke={1.5} />}
          title="Nobody matches"
          text="No user has this name, role and status."
        >
          <Button variant="light" onClick={() => setWanted(nobody)}>
            Show everybody
          </Button>
        </Notice>
      )}
      <AddPersonDialog opened={adding} roles={data.roles} onClose={close} onAdded={reload} />
    </Page>
  );
}

function Unread({ problem, onRetry }: { problem: string; onRetry: () => void }) {
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
