import { type ComponentType, lazy, Suspense } from "react";
import classes from "./qr-mark.module.css";

/** QR codes are rare and their library is 8 kB, so it is loaded on first use. If loading fails, no code is shown. */
const QrDrawing = lazy(() =>
  import("./qr-drawing.tsx").then(
    (loaded): { default: ComponentType<{ address: string }> } => ({ default: loaded.QrDrawing }),
    () => ({ default: () => null }),
  ),
);

/** A QR code of an address of this server, with a placeholder while the library loads. */
export function QrMark({ address }: { address: string }) {
  return (
    <Suspense fallback={<span className={classes.code} />}>
      <QrDrawing address={address} />
    </Suspense>
  );
}
