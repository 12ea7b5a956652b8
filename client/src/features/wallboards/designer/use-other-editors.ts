import { useEffect } from "react";
import { boardPlace } from "../../../../../shared/protocol/presence.ts";
import { useMe } from "../../../state/use-account.ts";
import { usePresence } from "../../../state/use-presence.ts";
import { pageCore } from "../../../sync/page/page-core.ts";
import type { OtherEditor } from "./canvas.tsx";

/** Shares the user's selected tile with other users in this designer, and returns theirs. */
export function useOtherEditors(board: string, selected: string | null) {
  const place = boardPlace(board);
  const me = useMe().id;
  const presence = usePresence([place]).filter(({ id }) => id !== me);
  useEffect(() => {
    const where = selected === null ? {} : { record: selected };
    pageCore().presence.set(place, { ...where, mode: selected === null ? "viewing" : "editing" });
  }, [place, selected]);
  useEffect(() => () => pageCore().presence.leave(place), [place]);
  const editors = new Map<string, OtherEditor>();
  const others: Record<string, OtherEditor> = {};
  for (const { id, name, colour, record } of presence) {
    editors.set(id, { name, colour });
    if (record !== undefined) others[record] = { name, colour };
  }
  return { editors: [...editors.values()], others };
}
