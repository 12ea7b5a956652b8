import { Checkbox } from "@mantine/core";
import { administrativeRights } from "../../../../shared/policy/role.ts";
import type { RoleForm } from "../../../../shared/policy/role-tree.ts";
import { offeredRights } from "../../../../shared/policy/unused-rights.ts";
import { rolesMessages as messages } from "../../messages/en/roles.ts";
import { useAbilities } from "../../state/use-account.ts";
import { rightNames } from "../../ui/right-names.ts";
import classes from "./roles.module.css";

interface Props {
  form: RoleForm;
  onForm: ((form: RoleForm) => void) | null;
}

/** The administrative rights. A user can grant only rights that they have. */
export function RightsPart({ form, onForm }: Props) {
  const mine = useAbilities().rights;
  return (
    <div className={classes.rights}>
      {offeredRights.map((right) => {
        const isGranted = form.rights.includes(right);
        const isNotMine = onForm && !isGranted && !mine.includes(right);
        const label = rightNames[right];
        return (
          <Checkbox
            key={right}
            label={`${label.charAt(0).toUpperCase()}${label.slice(1)}`}
            description={isNotMine ? messages.rightNotMine() : undefined}
            checked={isGranted}
            disabled={!onForm || Boolean(isNotMine)}
            onChange={(event) =>
              onForm?.({
                ...form,
                rights: administrativeRights.filter((one) =>
                  one === right ? event.currentTarget.checked : form.rights.includes(one),
                ),
              })
            }
          />
        );
      })}
    </div>
  );
}
