import type { Json } from "../../../../shared/filter/filter.ts";
import { rankMatches } from "../../../../shared/filter/text-search.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { findOption, readBoolean } from "../../../../shared/model/read-text.ts";
import { valueMessages as messages } from "../../messages/en/values.ts";
import type { LookUp } from "./look-up.ts";

/** An item in the list of an input. */
export interface Choice {
  value: Json;
  label: string;
  colour?: string | undefined;
  /** It does not exist yet: choosing it creates the target of this label. */
  creates?: string;
}

/** The local choices that contain the text, best match first, and the one that it names otherwise. */
export function localChoices(field: Field, text: string): Choice[] {
  const all: Choice[] =
    field.type === "boolean"
      ? [
          { value: true, label: messages.yes() },
          { value: false, label: messages.no() },
        ]
      : (field.options ?? []).map((option) => ({
          value: option.value,
          label: option.label ?? option.value,
          colour: option.colour,
        }));
  const found = rankMatches(all, ({ label }) => label, text);
  const value = field.type === "boolean" ? readBoolean(text) : findOption(field, text)?.value;
  return [...new Set([...found, ...all.filter((choice) => choice.value === value)])];
}

/** The targets of a link or user field whose label contains the text. */
export async function remoteChoices(lookUp: LookUp, field: Field, text: string): Promise<Choice[]> {
  return choicesOf(await lookUp.search(field, text.trim()));
}

/** The same of those that are known in the page. */
export function knownChoices(lookUp: LookUp, field: Field, text: string): Choice[] {
  return choicesOf(lookUp.loaded?.(field, text.trim()) ?? []);
}

function choicesOf(targets: Awaited<ReturnType<LookUp["search"]>>): Choice[] {
  return targets.map(({ id, label, colour }) => ({ value: id, label, colour }));
}
