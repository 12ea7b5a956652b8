import { useEffect, useState } from "react";
import { useLocationProperty } from "wouter/use-browser-location";
import { COMMENTS_HASH } from "../../records/comments/comment-place.ts";

export type TabName = "fields" | "comments" | "linked" | "history";

/** The parts of an address that open a tab. */
const hashes: Readonly<Record<string, TabName>> = {
  [COMMENTS_HASH]: "comments",
  "#linked": "linked",
  "#history": "history",
};

/** The open tab. An address that ends in the name of a tab opens it; choosing another one removes that. */
export function useTab(
  first: TabName,
  available: readonly TabName[],
): [TabName, (tab: string | null) => void] {
  const [tab, setTab] = useState<TabName>(first);
  const hash = useLocationProperty(() => location.hash);
  useEffect(() => {
    const named = hashes[hash];
    if (named) setTab(named);
  }, [hash]);
  const choose = (next: string | null) => {
    const named = hashes[location.hash];
    if (named && named !== next) {
      history.replaceState(history.state, "", `${location.pathname}${location.search}`);
    }
    setTab((next ?? first) as TabName);
  };
  return [available.includes(tab) ? tab : "fields", choose];
}
