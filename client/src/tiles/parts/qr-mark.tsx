import { type ComponentType, lazy, Suspense } from "react";
import classes from "./qr-mark.module.css";

/** Codes are rare and their library is 8 kB: it comes when one is drawn. Without it the rest stands. */
const QrDrawing = lazy(() =>
  import("./qr-drawing.tsx").then(
    (loaded): { default: ComponentType<{ address: string }> } => ({ default: loaded.QrDrawing }),
    () => ({ default: () => null }),
  ),
);

/** A code that opens an address of this server; its place is kept while it is fetched. */
export function QrMark({ address }: { address: string }) {
  return (
    <Suspense fallback={<span className={classes.code} />}>
      <QrDrawing address={address} />
    </Suspense>
  );
}
