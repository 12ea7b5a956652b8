import { IconUserEdit } from "@tabler/icons-react";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { Field } from "../../../../shared/model/model.ts";
import classes from "./fields.module.css";
import type { LookUp } from "./look-up.ts";
import { ValueMark } from "./value-mark.tsx";

interface Props {
  field: Field;
  saved: { name: string; value: Json };
  lookUp: LookUp;
}

/** Stands under an editor: a colleague has saved the same field while I was typing. */
export function SavedNotice({ field, saved, lookUp }: Props) {
  return (
    <span className={classes.saved} role="status">
      <IconUserEdit size={14} aria-hidden="true" />
      <span>
        {saved.name} just saved{" "}
        {saved.value === null ? (
          <em>an empty value</em>
        ) : (
          <ValueMark field={field} value={saved.value} lookUp={lookUp} />
        )}
        . When you save, you choose which one stays.
      </span>
    </span>
  );
}
