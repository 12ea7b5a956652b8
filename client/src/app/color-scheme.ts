import { isMantineColorScheme, type MantineColorSchemeManager } from "@mantine/core";
import { readFromBrowser, storeInBrowser } from "../transport/storage/browser-storage.ts";

/** Where the browser keeps light, dark or auto. public/first-paint.js reads the same key. */
const COLOR_SCHEME_KEY = "watchfloor.scheme";

let onStorage: ((event: StorageEvent) => void) | null = null;

/** Light, dark or auto, as this browser's user chose it; a choice in another tab is followed. */
export const colorSchemes: MantineColorSchemeManager = {
  get(defaultScheme) {
    const stored = readFromBrowser(COLOR_SCHEME_KEY);
    return isMantineColorScheme(stored) ? stored : defaultScheme;
  },
  set: (scheme) => void storeInBrowser(COLOR_SCHEME_KEY, scheme),
  subscribe(onUpdate) {
    onStorage = ({ key, newValue }) => {
      if (key === COLOR_SCHEME_KEY && isMantineColorScheme(newValue)) onUpdate(newValue);
    };
    addEventListener("storage", onStorage);
  },
  unsubscribe() {
    if (onStorage) removeEventListener("storage", onStorage);
  },
  clear: () => void storeInBrowser(COLOR_SCHEME_KEY, null),
};
