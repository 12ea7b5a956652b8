import { useMantineColorScheme } from "@mantine/core";
import { isActionsGroup, Spotlight, type SpotlightFilterFunction } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";
import { useCallback, useEffect, useState } from "react";
import { useLocation } from "wouter";
import type { ViewInfo } from "../../../../shared/protocol/views.ts";
import { shellMessages as messages } from "../../messages/en/shell.ts";
import { useAbilities, useMe, useModel } from "../../state/use-account.ts";
import { type FoundRecord, searchRecords } from "../../sync/calls/search-records.ts";
import { rest } from "../../transport/rest/rest.ts";
import { noFill } from "../../ui/no-fill.ts";
import { paletteActions, recentActions, recordActions, recordsGroup } from "./palette-actions.tsx";

const MIN_CHARACTERS = 2;
/** Waits until the user stops typing before asking the server. */
const SEARCH_DELAY_MS = 180;
const PER_TABLE = 4;
const MAX_TABLES = 6;

/** The command palette: tables, views, records, screens and actions by typing a few letters of their name. */
export function Palette() {
  const [path, navigate] = useLocation();
  const [query, setQuery] = useState("");
  const { setColorScheme } = useMantineColorScheme();
  const model = useModel();
  const abilities = useAbilities();
  const { views, read } = usePaletteViews();
  const found = useFoundRecords(query);
  const records = recordActions(found, navigate);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when new records are found.
  useEffect(selectFirst, [found]);
  const { role } = useMe();
  const context = { model, abilities, role, views, navigate, setColorScheme, path };
  const staticActions = [
    ...(query === "" ? recentActions(context) : []),
    ...paletteActions(context),
  ];
  return (
    <Spotlight
      actions={[...staticActions, ...records]}
      filter={filterActions}
      query={query}
      onQueryChange={setQuery}
      onSpotlightOpen={read}
      shortcut={["mod+K"]}
      tagsToIgnore={[]}
      triggerOnContentEditable
      nothingFound={messages.nothingFound()}
      highlightQuery
      scrollable
      centered={false}
      yOffset="12vh"
      maxHeight={460}
      radius="lg"
      overlayProps={{ backgroundOpacity: 0.32, blur: 0 }}
      attributes={{ content: { "aria-label": messages.palette() } }}
      searchProps={{
        ...noFill,
        leftSection: <IconSearch size={18} stroke={1.6} aria-hidden="true" />,
        placeholder: messages.searchPlaceholder(),
        "aria-label": messages.search(),
      }}
    />
  );
}

/**
 * Mantine selects the first action when the query changes, but not when actions are added later; Enter would then do
 * nothing. A synthetic arrow key selects it.
 */
function selectFirst(): void {
  const palette = document.querySelector(`[role="dialog"][aria-label="${messages.palette()}"]`);
  if (!palette || palette.querySelector("[data-selected]")) return;
  const down = new KeyboardEvent("keydown", { code: "ArrowDown", bubbles: true });
  palette.querySelector("input")?.dispatchEvent(down);
}

/** Matches actions whose label and keywords contain every typed word. Records were matched by the server. */
const filterActions: SpotlightFilterFunction = (query, actions) => {
  const terms = query.toLowerCase().split(/\s+/).filter(Boolean);
  return actions.flatMap((group) => {
    if (!isActionsGroup(group) || group.group === recordsGroup()) return [group];
    const matching = group.actions.filter(({ label, keywords }) => {
      const text = [label, ...[keywords ?? []].flat()].join(" ").toLowerCase();
      return terms.every((term) => text.includes(term));
    });
    return matching.length > 0 ? [{ ...group, actions: matching }] : [];
  });
};

/** The views that the user may read. Keeps the previous list until `read` has loaded a new one. */
function usePaletteViews(): { views: readonly ViewInfo[]; read(): void } {
  const [views, setViews] = useState<readonly ViewInfo[]>([]);
  const read = useCallback(() => {
    // Offline, the palette offers the previous list.
    rest("GET /views").then(
      ({ items }) => setViews(items),
      () => {},
    );
  }, []);
  return { views, read };
}

/** Records that match what is typed into the palette; empty while it is closed or too short. */
function useFoundRecords(query: string): readonly FoundRecord[] {
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
