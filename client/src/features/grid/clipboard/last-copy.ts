import { createAtom } from "../../../state/atom-store.ts";
import { store } from "../../../state/store.ts";
import type { ClientCore } from "../../../sync/client-core.ts";
import { EXACT_VALUES_TYPE } from "./clipboard-cells.ts";

type Clipboard = Pick<DataTransfer, "getData">;
type CopiedData = readonly (readonly [type: string, text: string])[];

/** What was last copied on this page, by the user of this core. */
const lastCopyAtom = createAtom<{ core: ClientCore; data: CopiedData } | null>(null);

/** Remembers what is copied: outside of clipboard events, browsers neither write nor read a type of our own. */
export function setLastCopy(core: ClientCore, data: CopiedData): void {
  store.set(lastCopyAtom, { core, data });
}

/** The clipboard with the exact values of the last copy on this page, if it has the text of that copy and none of its own. */
export function withLastCopy(core: ClientCore, clipboard: Clipboard): Clipboard {
  const copied = store.get(lastCopyAtom);
  const last = new Map<string, string>(copied?.core === core ? copied.data : []);
  // Some systems have line breaks of their own.
  const text = clipboard.getData("text/plain").replaceAll("\r\n", "\n");
  const isLast = clipboard.getData(EXACT_VALUES_TYPE) === "" && text === last.get("text/plain");
  return isLast ? { getData: (type) => last.get(type) ?? "" } : clipboard;
}
