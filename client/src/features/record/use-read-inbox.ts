import { useEffect } from "react";
import { onUpdate } from "../../state/updates.ts";
import { rest } from "../../transport/rest/rest.ts";

/** Opening a record reads what the inbox says of it, and so does what arrives while it is on the screen. */
export function useReadInbox(table: string, record: string, isShown: boolean): void {
  useEffect(() => {
    if (!isShown) return;
    // What could not be marked now is marked when the record is opened again.
    const read = () =>
      void rest("POST /inbox/read", { body: { table, record } }).catch(() => undefined);
    const readIfVisible = () => document.visibilityState === "visible" && read();
    read();
    document.addEventListener("visibilitychange", readIfVisible);
    const stop = onUpdate(["inbox"], readIfVisible);
    return () => {
      stop();
      document.removeEventListener("visibilitychange", readIfVisible);
    };
  }, [table, record, isShown]);
}
