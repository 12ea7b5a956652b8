import type { Field } from "../../../../shared/model/model.ts";
import { isReadOnly } from "../../../../shared/model/recorded.ts";
import { recordMessages as messages } from "../../messages/en/record.ts";
import { isLong } from "../../records/fields/field-input.tsx";

export interface Section {
  name: "details" | "texts" | "automatic";
  label: string;
  fields: Field[];
}

/** The fields of the form: short ones, then texts, which take the whole width, then what nobody writes. */
export function sectionsOf(fields: readonly Field[]): Section[] {
  const parts = Map.groupBy(fields, (field): Section["name"] => {
    if (isReadOnly(field)) return "automatic";
    return isLong(field.type) ? "texts" : "details";
  });
  const sections: Section[] = [
    { name: "details", label: messages.details(), fields: parts.get("details") ?? [] },
    { name: "texts", label: messages.texts(), fields: parts.get("texts") ?? [] },
    { name: "automatic", label: messages.automatic(), fields: parts.get("automatic") ?? [] },
  ];
  return sections.filter((section) => section.fields.length > 0);
}
