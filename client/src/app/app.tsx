import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { AddressRouter } from "../ui/address-router.tsx";
import { colorSchemes } from "./color-scheme.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { RootScreen } from "./gate.tsx";
import { cssVariables, theme } from "./theme.ts";
import "./mantine-styles.ts";
import "./theme.css";
import { LookUpContext } from "../records/fields/look-up.ts";
import { pageLabels } from "../sync/page/page-labels.ts";

/** The whole application: theme, toasts, the outermost error boundary, and the first screen. */
export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemes}
      defaultColorScheme="auto"
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
