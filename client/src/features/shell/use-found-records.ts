import { useEffect, useState } from "react";
import { useModel } from "../../state/use-account.ts";
import { type FoundRecord, searchRecords } from "../../sync/calls/search-records.ts";

const MIN_CHARACTERS = 2;
/** Waits until the user stops typing before asking the server. */
const SEARCH_DELAY_MS = 180;
const PER_TABLE = 4;
const MAX_TABLES = 6;

/** Records that match what is typed into the palette; empty while it is closed or too short. */
export function useFoundRecords(query: string): readonly FoundRecord[] {
  const { tables } = useModel();
  const [found, setFound] = useState<readonly FoundRecord[]>([]);
  useEffect(() => {
    const text = query.trim();
    if (text.length < MIN_CHARACTERS) {
      setFound([]);
      return;
    }
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const records = await searchRecords(tables.slice(0, MAX_TABLES), text, PER_TABLE);
      if (isCurrent) setFound(records);
    }, SEARCH_DELAY_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [query, tables]);
  return found;
}
