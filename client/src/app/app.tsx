import {
  isMantineColorScheme,
  type MantineColorSchemeManager,
  MantineProvider,
} from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { AddressRouter } from "../ui/address-router.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { RootScreen } from "./gate.tsx";
import { cssVariables, theme } from "./theme.ts";
import "../ui/palette.css";
import "./mantine-styles.ts";
import "./theme.css";
import { LookUpContext } from "../records/fields/look-up.ts";
import { pageLabels } from "../sync/page/page-labels.ts";
import { readFromBrowser, storeInBrowser } from "../transport/storage/browser-storage.ts";

/** The whole application: theme, toasts, the outermost error boundary, and the first screen. */
export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemes}
      defaultColorScheme="auto"
      // All variables come from the theme: the sheet of the default ones would be loaded for nothing.
      deduplicateCssVariables={false}
    >
      <AddressRouter>
        <Notifications position="bottom-right" limit={4} />
        <LookUpContext value={pageLabels()}>
          <ErrorBoundary>
            <RootScreen />
          </ErrorBoundary>
        </LookUpContext>
      </AddressRouter>
    </MantineProvider>
  );
}

/** Where the browser keeps light, dark or auto. public/first-paint.js reads the same key. */
const COLOR_SCHEME_KEY = "watchfloor.scheme";

let onStorage: ((event: StorageEvent) => void) | null = null;

/** Light, dark or auto, as this browser's user chose it; a choice in another tab is followed. */
const colorSchemes: MantineColorSchemeManager = {
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
