import { CloseButton, NativeSelect, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import type { UserInfo } from "../../../../shared/protocol/users.ts";
import type { Wanted } from "./narrow-users.ts";
import classes from "./people-table.module.css";

interface Props {
  users: readonly UserInfo[];
  roles: readonly RoleInfo[];
  wanted: Wanted;
  onWanted: (wanted: Wanted) => void;
}

const statuses = [
  { value: "", label: "Any status" },
  { value: "active", label: "Active" },
  { value: "invited", label: "Invited" },
  { value: "disabled", label: "Disabled" },
];

/** Finds users among many: by a text, a role, a status. */
export function PeopleTools({ users, roles, wanted, onWanted }: Props) {
  const counted = roles.map(({ id, name }) => {
    const have = users.filter((user) => user.role === id).length;
    return { value: id, label: `${name} (${have})` };
  });
  return (
    <search className={classes.tools}>
      <TextInput
        aria-label="Find users"
        placeholder="Name, email or attribute"
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        rightSection={
          wanted.text && (
            <CloseButton
              size="sm"
              aria-label="Clear the search"
              onClick={() => onWanted({ ...wanted, text: "" })}
            />
          )
        }
        value={wanted.text}
        onChange={(event) => onWanted({ ...wanted, text: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label="Role"
        value={wanted.role}
        data={[{ value: "", label: "All roles" }, ...counted]}
        onChange={(event) => onWanted({ ...wanted, role: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label="Status"
        value={wanted.status}
        data={statuses}
        onChange={(event) =>
          onWanted({ ...wanted, status: event.currentTarget.value as Wanted["status"] })
        }
      />
    </search>
  );
}
