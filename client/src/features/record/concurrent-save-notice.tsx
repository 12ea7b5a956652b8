import { useEffect, useState } from "react";
import type { Field } from "../../../../shared/model/model.ts";
import { SavedNotice } from "../../records/fields/saved-notice.tsx";
import { pageCore } from "../../sync/page/page-core.ts";
import { type SavedByOther, watchSaves } from "../../sync/page/watch-saves.ts";

interface Props {
  table: string;
  record: string;
  field: Field;
  isTyping(): boolean;
}

/** Notifies a typing user that somebody else has just saved the same field. */
export function ConcurrentSaveNotice({ table, record, field, isTyping }: Props) {
  const [saved, setSaved] = useState<SavedByOther | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: isTyping is called at each save.
  useEffect(() => {
    const session = pageCore().openTable(table);
    const stop = watchSaves(session, { record, field: field.name }, (save) => {
      if (isTyping()) setSaved(save);
    });
    return () => {
      stop();
      session.close();
    };
  }, [table, record, field.name]);
  if (!saved || !isTyping()) return null;
  return <SavedNotice field={field} saved={saved} />;
}
