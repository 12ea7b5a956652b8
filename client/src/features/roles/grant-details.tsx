import { Button, Checkbox, Group, SegmentedControl, Text, Title } from "@mantine/core";
import type { Table } from "../../../../shared/model/model.ts";
import type { Grant } from "../../../../shared/policy/role.ts";
import type { RoleForm } from "../../../../shared/policy/role-tree.ts";
import { rolesMessages as messages } from "../../messages/en/roles.ts";
import { Hint } from "../../ui/texts.ts";
import parts from "./grant-details.module.css";
import {
  accessOf,
  dropGrant,
  type FieldAccess,
  grantAt,
  isOwn,
  setAccess,
  setGrant,
  setTransition,
} from "./grant-edits.ts";
import { RowRights } from "./row-rights.tsx";

interface Props {
  grantKey: string;
  table: Table;
  form: RoleForm;
  onForm: ((form: RoleForm) => void) | null;
}

/** A table's grant in full: records, fields and transitions. */
export function GrantDetails(props: Props) {
  const { grantKey, table, form, onForm } = props;
  const grant = grantAt(form, grantKey);
  if (!grant.read) {
    return (
      <Hint maw="64ch" textWrap="pretty">
        {messages.hiddenTable()}
      </Hint>
    );
  }
  return (
    <div className={parts.parts}>
      <RowRights {...props} grant={grant} />
      <FieldAccessList {...props} grant={grant} />
      {table.workflow && <TransitionRights {...props} grant={grant} />}
      <Group justify="space-between" align="flex-start" gap={12} style={{ gridColumn: "1 / -1" }}>
        <Checkbox
          label={messages.addInAnyState()}
          description={messages.addInAnyStateText()}
          checked={Boolean(grant.createInAnyState) && Boolean(grant.create)}
          disabled={!onForm || !grant.create || !table.workflow}
          onChange={(event) =>
            onForm?.(setGrant(form, grantKey, "createInAnyState", event.currentTarget.checked))
          }
        />
        {onForm && isOwn(form, grantKey) && (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => onForm(dropGrant(form, grantKey))}
          >
            {messages.sameRights()}
          </Button>
        )}
      </Group>
    </div>
  );
}

function TransitionRights({ grantKey, table, form, onForm, grant }: Props & { grant: Grant }) {
  const granted = grant.transitions ?? false;
  return (
    <fieldset className={parts.transitions}>
      <Text component="legend" mb={8} fz="sm" fw={600}>
        {messages.transitionList()}
      </Text>
      {table.workflow?.transitions.map(({ name, label, from, to }) => (
        <Checkbox
          key={name}
          label={label}
          description={`${from.join(", ")} → ${to}`}
          checked={granted === true || (granted !== false && granted.includes(name))}
          disabled={!onForm}
          onChange={(event) =>
            onForm?.(setTransition(form, grantKey, table, name, event.currentTarget.checked))
          }
        />
      ))}
    </fieldset>
  );
}

interface FieldAccessListProps {
  grantKey: string;
  table: Table;
  form: RoleForm;
  grant: Grant;
  onForm: ((form: RoleForm) => void) | null;
}

/** Each field: hidden, only seen, or also written. */
function FieldAccessList({ grantKey, table, form, grant, onForm }: FieldAccessListProps) {
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
