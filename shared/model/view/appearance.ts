import { z } from "zod";
import { fieldsOf } from "../../filter/bind-filter.ts";
import { filterSchema } from "../../filter/filter.ts";
import { nameSchema } from "../user-text-schema.ts";

/** How the rows of a view look: their height, wrapped texts, and rules that colour them. */

export const RULES_MAX = 20;

/** Each has a mark of its own on the screen, so that no rule is shown by colour alone. */
export const ruleColours = ["red", "orange", "yellow", "green", "blue", "violet", "gray"] as const;
export type RuleColour = (typeof ruleColours)[number];

export const rowHeights = ["short", "medium", "tall"] as const;
export type RowHeight = (typeof rowHeights)[number];

/** Records that match the filter are coloured: the cell of one field, or with null the whole row. */
const colourRuleSchema = z.strictObject({
  filter: filterSchema,
  colour: z.enum(ruleColours),
  field: nameSchema.nullable(),
});
export type ColourRule = z.infer<typeof colourRuleSchema>;

export const appearanceSchema = z.strictObject({
  height: z.enum(rowHeights).exactOptional(),
  /** Stored by earlier versions: texts wrap in all taller rows. */
  wrap: z.boolean().exactOptional(),
  /** The first rule that matches a cell colours it; rules of cells come before rules of rows. */
  rules: z.array(colourRuleSchema).max(RULES_MAX).exactOptional(),
});
export type Appearance = z.infer<typeof appearanceSchema>;

/** The fields that a rule reads or colours. */
export function ruleNeeds({ filter, field }: ColourRule): string[] {
  const named = new Set(fieldsOf(filter));
  if (field !== null) named.add(field);
  named.delete("id");
  return [...named];
}

/** The appearance without the rules on fields that its reader may not see. */
export function visibleAppearance(
  appearance: Appearance,
  isVisible: (field: string) => boolean,
): Appearance {
  if (!appearance.rules) return appearance;
  return {
    ...appearance,
    rules: appearance.rules.filter((rule) => ruleNeeds(rule).every(isVisible)),
  };
}

/** A changed appearance with the rules that its author could not see: those stay, at the end. */
export function withHiddenRules(
  changed: Appearance,
  stored: Appearance,
  isVisible: (field: string) => boolean,
): Appearance {
  const isHidden = (rule: ColourRule) => !ruleNeeds(rule).every(isVisible);
  const hidden = stored.rules?.filter(isHidden) ?? [];
  return hidden.length === 0
    ? changed
    : { ...changed, rules: [...(changed.rules ?? []), ...hidden] };
}
