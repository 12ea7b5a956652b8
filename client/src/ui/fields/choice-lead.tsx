import type { Json } from "../../../../shared/filter/filter.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { userColour } from "../user-colour.ts";
import { badgeColour } from "./badge-colour.ts";
import classes from "./fields.module.css";
import { initialsOf } from "./initials.ts";
import type { LookUp } from "./look-up.ts";

/** The dot of an option or the avatar of a user, before its name in an input. Decorative. */
export function ChoiceLead({
  field,
  value,
  lookUp,
}: {
  field: Field;
  value: Json;
  lookUp: LookUp;
}) {
  if (value === null) return null;
  if (field.type === "select") {
    const colour = field.options?.find((option) => option.value === value)?.colour;
    return <span className={classes.dot} style={{ background: badgeColour(colour) }} />;
  }
  const user = field.type === "person" ? lookUp.get(field, String(value)) : undefined;
  if (!user) return null;
  const colour = { ["--wf-user-colour" as string]: userColour(user.colour ?? "gray") };
  return (
    <span className={`wf-avatar ${classes.lead}`} style={colour} aria-hidden="true">
      {initialsOf(user.label)}
    </span>
  );
}
