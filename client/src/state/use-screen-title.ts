import { useAtomValue } from "jotai/react";
import { atom } from "jotai/vanilla";
import { useEffect } from "react";
import { store } from "./store.ts";

/** What a screen calls what it shows, and its path. */
const screenTitleAtom = atom<{ path: string; title: string } | null>(null);

/** Names what the screen at a path shows for the breadcrumb, once that is known. */
export function useNameScreen(path: string, title: string | null): void {
  useEffect(() => {
    if (title !== null) store.set(screenTitleAtom, { path, title });
  }, [path, title]);
}

/** What the screen at a path shows; null until it has said so. */
export function useScreenTitle(path: string): string | null {
  const named = useAtomValue(screenTitleAtom, { store });
  return named?.path === path ? named.title : null;
}
