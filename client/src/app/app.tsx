import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { COLOR_SCHEME_KEY } from "./color-scheme-key.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { RootScreen } from "./gate.tsx";
import { cssVariables, theme } from "./theme.ts";
import "./mantine-styles.ts";
import "./theme.css";
import { LookUpContext } from "../records/fields/look-up.ts";
import { pageLabels } from "../sync/page/page-labels.ts";

const schemes = localStorageColorSchemeManager({ key: COLOR_SCHEME_KEY });

/** The whole application: theme, toasts, the outermost error boundary, and the first screen. */
export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={schemes}
      defaultColorScheme="auto"
    >
      <Notifications position="bottom-right" limit={4} />
      <LookUpContext value={pageLabels()}>
        <ErrorBoundary>
          <RootScreen />
        </ErrorBoundary>
      </LookUpContext>
    </MantineProvider>
  );
}
