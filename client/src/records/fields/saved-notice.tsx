import { IconUserEdit } from "@tabler/icons-react";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { fieldMessages as messages } from "../../messages/en/fields.ts";
import { richText } from "../../messages/rich-text.tsx";
import classes from "./fields.module.css";
import { ValueMark } from "./value-mark.tsx";

interface Props {
  field: Field;
  saved: { name: string; value: Json };
}

/** Shown below an editor when another user has saved the same field in the meantime. */
export function SavedNotice({ field, saved }: Props) {
  return (
    <span className={classes.saved} role="status">
      <IconUserEdit size={14} aria-hidden="true" />
      <span>
        {richText(messages.justSaved({ author: saved.name }), {
          value: () => (
            <strong>
              <ValueMark field={field} value={saved.value} />
            </strong>
          ),
        })}
      </span>
    </span>
  );
}
