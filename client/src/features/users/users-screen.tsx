import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUserPlus, IconUserSearch } from "@tabler/icons-react";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { usersMessages as messages } from "../../messages/en/users.ts";
import { listRoles, listUsers } from "../../sync/calls/users.ts";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Hint } from "../../ui/texts.ts";
import { Unloaded } from "../../ui/unloaded.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import { useTitle } from "../../ui/use-title.ts";
import { AddUserDialog } from "./add-user-dialog.tsx";
import { filterUsers, type UserFilter } from "./filter-users.ts";
import { UsersTable } from "./users-table.tsx";
import { UsersToolbar } from "./users-toolbar.tsx";

async function load() {
  const [users, roles] = await Promise.all([listUsers(), listRoles()]);
  return { users, roles };
}

const noFilter: UserFilter = { text: "", role: "", status: "" };

/** All users: find, add, change, disable and remove them. */
export function UsersScreen() {
  useTitle(messages.title());
  const [params] = useSearchParams();
  const { data, problem, reload } = useRemote(load, { on: ["people"] });
  const [filter, setFilter] = useState<UserFilter>({ ...noFilter, role: params.get("role") ?? "" });
  const [adding, { open, close }] = useDisclosure(false);
  if (!data) return <Unloaded problem={problem} reload={reload} />;
  const shown = filterUsers(data.users, filter);
  return (
    <Page
      title={messages.title()}
      lead={messages.lead()}
      actions={
        <Button leftSection={<IconUserPlus size={16} />} onClick={open}>
          {messages.addUser()}
        </Button>
      }
      problem={problem}
    >
      <UsersToolbar users={data.users} roles={data.roles} filter={filter} onFilter={setFilter} />
      <Hint mb={8} role="status">
        {shown.length === data.users.length
          ? messages.count({ count: shown.length })
          : messages.countOf({ shown: shown.length, total: data.users.length })}
      </Hint>
      {shown.length > 0 ? (
        <UsersTable users={shown} allUsers={data.users} roles={data.roles} onChanged={reload} />
      ) : (
        <Notice icon={IconUserSearch} title={messages.noMatch()} text={messages.noMatchText()}>
          <Button variant="light" onClick={() => setFilter(noFilter)}>
            {messages.clearFilters()}
          </Button>
        </Notice>
      )}
      <AddUserDialog opened={adding} roles={data.roles} onClose={close} onAdded={reload} />
    </Page>
  );
}
