import type { Json } from "../../../../../shared/filter/filter.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import type { Grouping } from "../../../../../shared/model/view/view.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { formatDay } from "../../../ui/fields/instant.ts";
import type { LookUp } from "../../../ui/fields/look-up.ts";
import { ValueMark } from "../../../ui/fields/value-mark.tsx";

interface Props {
  field: Field;
  grouping: Grouping;
  value: Json;
  lookUp: LookUp;
}

const month = new Intl.DateTimeFormat(undefined, {
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

/** A group's value as its cells show it; days and months by their names. */
export function GroupLabel({ field, grouping: { by }, value, lookUp }: Props) {
  if (value === null) {
    return <span className="wf-empty">{messages.emptyGroup({ field: field.label })}</span>;
  }
  if (by === undefined) {
    return <ValueMark field={field} value={value} lookUp={lookUp} />;
  }
  const day = String(value);
  const at = Date.parse(`${day}T00:00:00Z`);
  if (by === "day" || Number.isNaN(at)) return <span>{formatDay(day)}</span>;
  return <span>{month.format(at)}</span>;
}
