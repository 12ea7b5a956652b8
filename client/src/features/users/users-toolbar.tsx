import { CloseButton, NativeSelect, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import type { UserInfo } from "../../../../shared/protocol/users.ts";
import { usersMessages as messages } from "../../messages/en/users.ts";
import { noFill } from "../../ui/no-fill.ts";
import type { UserFilter } from "./filter-users.ts";
import classes from "./users-table.module.css";

interface Props {
  users: readonly UserInfo[];
  roles: readonly RoleInfo[];
  filter: UserFilter;
  onFilter: (filter: UserFilter) => void;
}

/** The filters of the list: text, role and status. */
export function UsersToolbar({ users, roles, filter, onFilter }: Props) {
  const roleOptions = roles.map(({ id, name }) => {
    const count = users.filter((user) => user.role === id).length;
    return { value: id, label: messages.roleOption({ role: name, count }) };
  });
  return (
    <search className={classes.tools}>
      <TextInput
        {...noFill}
        aria-label={messages.search()}
        placeholder={messages.searchHint()}
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        rightSection={
          filter.text && (
            <CloseButton
              size="sm"
              aria-label={messages.clearSearch()}
              onClick={() => onFilter({ ...filter, text: "" })}
            />
          )
        }
        value={filter.text}
        onChange={(event) => onFilter({ ...filter, text: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label={messages.role()}
        value={filter.role}
        data={[{ value: "", label: messages.allRoles() }, ...roleOptions]}
        onChange={(event) => onFilter({ ...filter, role: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label={messages.status()}
        value={filter.status}
        data={[
          { value: "", label: messages.anyStatus() },
          { value: "active", label: messages.active() },
          { value: "invited", label: messages.invited() },
          { value: "disabled", label: messages.disabled() },
        ]}
        onChange={(event) =>
          onFilter({ ...filter, status: event.currentTarget.value as UserFilter["status"] })
        }
      />
    </search>
  );
}
