import type { Json } from "../../../../shared/filter/filter.ts";
import { valueMessages } from "../../messages/en/values.ts";
import type { TableSession, Touched } from "../window/table-session.ts";

/** What somebody else has just saved in a field. */
export interface SavedByOther {
  name: string;
  value: Json;
}

/** Calls back whenever somebody else saves a field of a record. Ends with the returned function. */
export function watchSaves(
  session: Pick<TableSession, "get"> & {
    onTouched(callback: (touched: Pick<Touched, "flashes">) => void): () => void;
  },
  place: { record: string; field: string },
  onSaved: (saved: SavedByOther) => void,
): () => void {
  return session.onTouched(({ flashes }) => {
    const { record, field } = place;
    const flash = flashes.findLast(
      (one) => one.record === record && one.field === field && !one.mine,
    );
    const view = flash && session.get(record);
    if (!flash || !view) return;
    const values = view.confirmed ?? view.values;
    onSaved({ name: flash.by.name || valueMessages.someoneElse(), value: values[field] ?? null });
  });
}
