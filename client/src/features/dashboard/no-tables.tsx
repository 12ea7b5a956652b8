import { useAbilities } from "../../state/use-account.ts";
import classes from "./next-steps.module.css";
import { Part } from "./part.tsx";

/** A first screen that has nothing to show says why, and who can help. */
export function NoTables() {
  const mayDeclare = useAbilities().rights.includes("model");
  return (
    <Part title="Tables">
      <p className={classes.text}>
        {mayDeclare
          ? "There are no tables yet. They are declared in the model, and their figures show here as soon as they are."
          : "There is no table that your role may read. An owner or an admin can give you another role."}
      </p>
    </Part>
  );
}
