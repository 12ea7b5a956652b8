import type { Json } from "../../../../shared/filter/filter.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { valueMessages as messages } from "../../messages/en/values.ts";
import { LabelText, OptionBadge, UserMark } from "./choice-mark.tsx";
import { formatValue, markOf, optionLabel, optionsIn } from "./format-value.ts";
import { LABEL_WAITING } from "./label-waiting.ts";
import { useLookUp } from "./look-up.ts";
import { isEmptyOf } from "./same-value.ts";

interface Props {
  field: Field;
  value: Json | undefined;
  /** The value was erased for good. */
  isErased?: boolean;
}

/** A read-only value as in a cell. Empty values are marked as such. */
export function ValueMark({ field, value, isErased = false }: Props) {
  const lookUp = useLookUp();
  if (value === null || value === undefined || isEmptyOf(field, value)) {
    return <span className="wf-empty">{isErased ? messages.erased() : messages.empty()}</span>;
  }
  const mark = markOf(field.type);
  if (mark === "user") {
    const target = lookUp.get(field, String(value));
    return <UserMark name={target?.label ?? LABEL_WAITING} colour={target?.colour} />;
  }
  if (mark === "options") {
    return (
      <span className="wf-badges">
        {optionsIn(value).map((option) => (
          <OptionBadge
            key={option}
            label={optionLabel(field, option)}
            colour={field.options?.find((one) => one.value === option)?.colour}
          />
        ))}
      </span>
    );
  }
  const text = formatValue(field, value, (of, id) => lookUp.labelOf(of, id));
  return (
    <span dir="auto" className={mark === "prose" ? "wf-prose" : undefined}>
      {mark === "link" ? <LabelText text={text} /> : text}
    </span>
  );
}
