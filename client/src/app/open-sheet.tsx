import { Suspense } from "react";
import { openSheet, sheetAtom } from "../state/open-sheet.ts";
import { useAtom } from "../state/use-atom.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { DisplaySheet, FieldSheet, TableSheet, UserSheet } from "./lazy-screens.ts";

const close = () => openSheet(null);

/** The sheet that is open beside the screen, if any. */
export function OpenSheet() {
  const sheet = useAtom(sheetAtom);
  if (!sheet) return null;
  return (
    <ErrorBoundary resetKey={sheet.kind}>
      <Suspense fallback={null}>
        {sheet.kind === "field" && <FieldSheet {...sheet} onClose={close} />}
        {sheet.kind === "table" && <TableSheet onClose={close} />}
        {sheet.kind === "user" && <UserSheet onClose={close} />}
        {sheet.kind === "display" && <DisplaySheet onClose={close} />}
      </Suspense>
    </ErrorBoundary>
  );
}
