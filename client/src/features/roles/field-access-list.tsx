import { SegmentedControl, Title } from "@mantine/core";
import type { Table } from "../../../../shared/model/model.ts";
import type { Grant } from "../../../../shared/policy/role.ts";
import type { RoleForm } from "../../../../shared/policy/role-tree.ts";
import { rolesMessages as messages } from "../../messages/en/roles.ts";
import parts from "./grant-details.module.css";
import { accessOf, type FieldAccess, setAccess } from "./grant-edits.ts";

interface Props {
  grantKey: string;
  table: Table;
  form: RoleForm;
  grant: Grant;
  onForm: ((form: RoleForm) => void) | null;
}

/** Each field: hidden, only seen, or also written. */
export function FieldAccessList({ grantKey, table, form, grant, onForm }: Props) {
  const access = accessOf(grant, table);
  const choices = [
    { value: "hidden", label: messages.hidden() },
    { value: "read", label: messages.read() },
    { value: "write", label: messages.update(), disabled: !grant.update },
  ];
  return (
    <section>
      <Title order={4} mb={8}>
        {messages.fields()}
      </Title>
      <ul className={parts.fields}>
        {table.fields.map(({ name, label }) => (
          <li key={name} className={parts.field} data-access={access.get(name)}>
            <span>{label}</span>
            <SegmentedControl
              size="xs"
              aria-label={label}
              data={choices}
              value={access.get(name) ?? "read"}
              disabled={!onForm}
              onChange={(next) =>
                onForm?.(setAccess(form, grantKey, table, name, next as FieldAccess))
              }
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
