import type { Option } from "../../../../../shared/model/model.ts";
import { palette } from "../../../../../shared/model/palette.ts";

/** Far apart first, and those that mark errors last. */
const order = ["blue", "teal", "grape", "yellow", "pink", "green", "indigo", "orange", "cyan"];

/** The next colour that no other option of a field has. */
export function freeColour(options: readonly Option[]): string {
  const all = [...order, ...palette.filter((name) => !order.includes(name))];
  const taken = options.map(({ colour }) => colour);
  return all.find((name) => !taken.includes(name)) ?? all[options.length % all.length] ?? "gray";
}
