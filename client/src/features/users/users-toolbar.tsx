import { CloseButton, NativeSelect, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import type { UserInfo } from "../../../../shared/protocol/users.ts";
import type { UserFilter } from "./filter-users.ts";
import classes from "./users-table.module.css";

interface Props {
  users: readonly UserInfo[];
  roles: readonly RoleInfo[];
  filter: UserFilter;
  onFilter: (filter: UserFilter) => void;
}

const statuses = [
  { value: "", label: "Any status" },
  { value: "active", label: "Active" },
  { value: "invited", label: "Invited" },
  { value: "disabled", label: "Disabled" },
];

/** Finds users among many: by a text, a role, a status. */
export function UsersToolbar({ users, roles, filter, onFilter }: Props) {
  const roleOptions = roles.map(({ id, name }) => {
    const count = users.filter((user) => user.role === id).length;
    return { value: id, label: `${name} (${count})` };
  });
  return (
    <search className={classes.tools}>
      <TextInput
        aria-label="Find users"
        placeholder="Name, email or attribute"
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        rightSection={
          filter.text && (
            <CloseButton
              size="sm"
              aria-label="Clear the search"
              onClick={() => onFilter({ ...filter, text: "" })}
            />
          )
        }
        value={filter.text}
        onChange={(event) => onFilter({ ...filter, text: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label="Role"
        value={filter.role}
        data={[{ value: "", label: "All roles" }, ...roleOptions]}
        onChange={(event) => onFilter({ ...filter, role: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label="Status"
        value={filter.status}
        data={statuses}
        onChange={(event) =>
          onFilter({ ...filter, status: event.currentTarget.value as UserFilter["status"] })
        }
      />
    </search>
  );
}
