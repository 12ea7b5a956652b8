import { useEffect, useState } from "react";
import type { RecordView } from "../../state/record-view.ts";
import type { Desk } from "./desk.ts";

/** One record of the grid as it is shown now, followed for as long as something stands beside it. */
export function useRecord(desk: Desk, record: string | undefined): RecordView | undefined {
  const [, renew] = useState(0);
  useEffect(
    () => (record === undefined ? undefined : desk.window.onRows(() => renew((n) => n + 1))),
    [desk, record],
  );
  return record === undefined ? undefined : desk.window.get(record);
}
