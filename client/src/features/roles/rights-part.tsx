import { Checkbox } from "@mantine/core";
import { administrativeRights } from "../../../../shared/policy/role.ts";
import type { RoleForm } from "../../../../shared/policy/role-tree.ts";
import { offeredRights } from "../../../../shared/policy/unused-rights.ts";
import { useAbilities } from "../../state/use-account.ts";
import { rightNames } from "../../ui/right-names.ts";
import classes from "./roles.module.css";

interface Props {
  form: RoleForm;
  onForm: ((form: RoleForm) => void) | null;
}

/** The administrative rights. Nobody gives one that they do not have themselves. */
export function RightsPart({ form, onForm }: Props) {
  const mine = useAbilities().rights;
  return (
    <div className={classes.rights}>
      {offeredRights.map((right) => {
        const held = form.rights.includes(right);
        const lacking = onForm && !held && !mine.includes(right);
        const words = rightNames[right];
        return (
          <Checkbox
            key={right}
            label={`${words.charAt(0).toUpperCase()}${words.slice(1)}`}
            description={lacking ? "You can't give it: you do not have it yourself." : undefined}
            checked={held}
            disabled={!onForm || Boolean(lacking)}
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
