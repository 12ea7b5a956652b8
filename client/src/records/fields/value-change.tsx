import { IconArrowRight } from "@tabler/icons-react";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { valueMessages as messages } from "../../messages/en/values.ts";
import { Dim } from "../../ui/texts.ts";
import { differingLines } from "./differing-lines.ts";
import classes from "./fields.module.css";
import { ValueMark } from "./value-mark.tsx";

interface Props {
  field: Field;
  /** Undefined where there was no record. */
  before: Json | undefined;
  /** Undefined where the record was deleted. */
  after: Json | undefined;
  /** The values were erased for good. */
  isErased?: boolean;
}

/** A value before and after a change. Of long texts the lines that changed, and how many did not. */
export function ValueChange(props: Props) {
  const { field, before, after } = props;
  if (field.type !== "longText" || !isText(before) || !isText(after)) {
    return <Pair {...props} before={before === "" && field.type !== "json" ? null : before} />;
  }
  const lines = differingLines(before, after);
  if (lines.above + lines.below === 0) return <Pair {...props} />;
  return (
    <span className={classes.lines}>
      <Unchanged count={lines.above} />
      <Pair {...props} before={lines.before.join("\n")} after={lines.after.join("\n")} />
      <Unchanged count={lines.below} />
    </span>
  );
}

function isText(value: Json | undefined): value is string {
  return typeof value === "string" && value !== "";
}

function Unchanged({ count }: { count: number }) {
  return count > 0 && <em>{messages.unchangedLines({ count })}</em>;
}

/** Of a long text, nothing is shown before the arrow if lines were only added. */
function Pair({ before, after, ...mark }: Props) {
  const isLinesAdded = before === "" && mark.field.type === "longText";
  return (
    <span className={classes.valueChange}>
      {before !== undefined && !isLinesAdded && (
        <Dim>
          <ValueMark {...mark} value={before} />
        </Dim>
      )}
      {after !== undefined && (
        <span className={classes.valueAfter}>
          {before !== undefined && <IconArrowRight size={14} aria-label={messages.changedTo()} />}
          <ValueMark {...mark} value={after} />
        </span>
      )}
    </span>
  );
}
