import { Button, Checkbox } from "@mantine/core";
import type { Table } from "../../../../shared/model/model.ts";
import type { Grant } from "../../../../shared/policy/role.ts";
import type { RoleForm } from "../../../../shared/policy/role-tree.ts";
import { FieldAccessList } from "./field-access-list.tsx";
import parts from "./grant-details.module.css";
import { dropGrant, grantAt, isOwn, setGrant, setTransition } from "./grant-edits.ts";
import classes from "./roles.module.css";
import { RowRights } from "./row-rights.tsx";

interface Props {
  grantKey: string;
  table: Table;
  form: RoleForm;
  onForm: ((form: RoleForm) => void) | null;
}

/** A table's grant in full: which records, which fields, which moves. */
export function GrantDetails(props: Props) {
  const { grantKey, table, form, onForm } = props;
  const grant = grantAt(form, grantKey);
  if (!grant.read) {
    return (
      <p className={classes.text}>
        People with this role don't know that this table exists. Tick “See” to say more.
      </p>
    );
  }
  return (
    <div className={parts.parts}>
      <RowRights {...props} grant={grant} />
      <FieldAccessList {...props} grant={grant} />
      {table.workflow && <TransitionRights {...props} grant={grant} />}
      <div className={parts.more}>
        <Checkbox
          label="Add records in any state"
          description="For imports that bring history; others begin in a first state."
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
            Use what holds for all other tables
          </Button>
        )}
      </div>
    </div>
  );
}

function TransitionRights({ grantKey, table, form, onForm, grant }: Props & { grant: Grant }) {
  const granted = grant.transitions ?? false;
  return (
    <fieldset className={parts.moves}>
      <legend className={classes.subtitle}>Moves</legend>
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
