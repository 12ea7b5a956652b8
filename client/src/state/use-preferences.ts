import { useAtomValue } from "jotai/react";
import {
  type Density,
  densityAtom,
  sidebarCollapsedAtom,
  singleKeysAtom,
  widePanelAtom,
} from "./preferences.ts";
import { store } from "./store.ts";

/** Comfortable or compact rows. */
export function useDensity(): Density {
  return useAtomValue(densityAtom, { store });
}

/** Whether the sidebar is folded to icons. */
export function useSidebarCollapsed(): boolean {
  return useAtomValue(sidebarCollapsedAtom, { store });
}

/** Whether shortcuts of a single character are wanted. */
export function useSingleKeysEnabled(): boolean {
  return useAtomValue(singleKeysAtom, { store });
}

/** Whether the record panel is wide. */
export function useWidePanel(): boolean {
  return useAtomValue(widePanelAtom, { store });
}
