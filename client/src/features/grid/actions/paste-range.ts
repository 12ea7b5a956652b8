import type { Json } from "../../../../../shared/filter/filter.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { isRemote } from "../../../ui/fields/choices.ts";
import { type Parsed, parseInput } from "../../../ui/fields/parse-input.ts";
import { parseTsv } from "../clipboard/tsv.ts";
import type { GridController } from "../grid-controller.ts";
import { type Placement, planPaste } from "../range/paste-plan.ts";
import { recordsInRows, rowCount } from "../range/row-map.ts";
import type { ExactCells } from "./copy-range.ts";
import { addSkip, type CellValue, editCells, reportSkips, type Skipped } from "./edit-cells.ts";

/** Pastes the clipboard into the range, as one undoable step. */
export async function pasteRange(
  grid: GridController,
  text: string,
  exactText: string,
): Promise<void> {
  const { range } = grid.range;
  if (!range || text === "") return;
  const size = { rows: rowCount(grid), columns: grid.columns.length };
  const { placements, cut } = planPaste(parseTsv(text), range, size);
  const first = placements[0];
  if (!first) return;
  const bottom = Math.max(...placements.map(({ row }) => row));
  const records = await recordsInRows(grid, first.row, bottom);
  const read = await reader(grid, placements, parseExact(exactText));
  const skipped: Skipped[] = [];
  const cells: CellValue[] = [];
  for (const placement of placements) {
    const record = records[placement.row - first.row];
    const field = grid.columns[placement.column];
    if (!record || field === undefined) continue;
    const parsed = read(placement);
    if (parsed.ok) cells.push({ record, field, value: parsed.value });
    else addSkip(skipped, parsed.message);
  }
  for (let i = 0; i < cut; i += 1) addSkip(skipped, messages.outsideTable());
  editCells(grid, cells, messages.pasted);
  reportSkips(skipped);
}

/** Parses a text by the type of its column, and links by their labels. */
async function reader(
  grid: GridController,
  placements: readonly Placement[],
  exact: ExactCells | null,
): Promise<(placement: Placement) => Parsed> {
  const fieldOf = ({ column }: Placement) => grid.fields.get(grid.columns[column] ?? "");
  const ids = await resolveLinks(grid, placements, fieldOf);
  const [origin] = placements;
  return (placement) => {
    const field = fieldOf(placement);
    if (!field || !origin) return { ok: false, message: messages.noColumn() };
    const value = exact && exactValue(exact, placement, origin, field);
    if (value !== null && value !== undefined) return { ok: true, value };
    if (!isRemote(field) || placement.text.trim() === "") return parseInput(field, placement.text);
    const id = ids.get(field)?.get(placement.text.trim());
    return id === undefined
      ? { ok: false, message: messages.noTarget({ text: placement.text.trim() }) }
      : { ok: true, value: id };
  };
}

async function resolveLinks(
  grid: GridController,
  placements: readonly Placement[],
  fieldOf: (placement: Placement) => Field | undefined,
): Promise<Map<Field, Map<string, string>>> {
  const textsByField = new Map<Field, Set<string>>();
  for (const placement of placements) {
    const field = fieldOf(placement);
    const text = placement.text.trim();
    if (!field || !isRemote(field) || text === "") continue;
    textsByField.set(field, (textsByField.get(field) ?? new Set()).add(text));
  }
  const found = await Promise.all(
    [...textsByField].map(async ([field, texts]) => {
      const ids = await grid.labels.resolve(field, [...texts]);
      return [field, ids] as const;
    }),
  );
  return new Map(found);
}

/** The exact value that was copied, if it was copied from a column of the same type. */
function exactValue(
  { types, rows }: ExactCells,
  at: Placement,
  origin: Placement,
  field: Field,
): Json | undefined {
  const column = (at.column - origin.column) % types.length;
  if (types[column] !== `${field.type}:${field.target ?? ""}`) return undefined;
  return rows[(at.row - origin.row) % rows.length]?.[column];
}

function parseExact(text: string): ExactCells | null {
  try {
    const found = JSON.parse(text || "null") as ExactCells | null;
    return found && Array.isArray(found.types) && Array.isArray(found.rows) ? found : null;
  } catch {
    return null;
  }
}
