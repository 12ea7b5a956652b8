import type { FieldType } from "../../../../../shared/model/field-types.ts";
import { typeIcons } from "../../../records/fields/type-icon.ts";

/** The icon of a type, always next to its name. */
export function FieldTypeIcon({ type }: { type: FieldType }) {
  return (
    <svg
      width={18}
      height={18}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={typeIcons[type]} />
    </svg>
  );
}
