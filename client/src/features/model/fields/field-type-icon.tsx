import type { FieldType } from "../../../../../shared/model/field-types.ts";
import { offeredTypes } from "../labels/field-choices.ts";

/** The icon of a type, always next to its name. */
export function FieldTypeIcon({ type }: { type: FieldType }) {
  const Sign = offeredTypes[type].icon;
  return <Sign size={18} stroke={1.6} aria-hidden="true" />;
}
