import { useMemo } from "react";
import { encode } from "uqr";
import { tilesMessages as messages } from "../../messages/en/tiles.ts";
import classes from "./qr-mark.module.css";

/** The capacity of the largest QR code; an address with a long filter may exceed it. */
const TEXT_MAX_LENGTH = 2_900;

/**
 * A QR code that opens exactly the tile's records in the console, with the rights of the user who scans it: it contains
 * an address and no secret.
 */
export function QrDrawing({ address }: { address: string }) {
  const { href } = new URL(address, location.origin);
  return <QrCode text={href} label={messages.qrCode()} className={classes.code} />;
}

interface Props {
  text: string;
  label: string;
  className: string | undefined;
}

/** A QR code, dark on light in every theme, as scanners require. A text that is too long is not drawn. */
export function QrCode({ text, label, className }: Props) {
  const drawn = useMemo(() => drawCode(text), [text]);
  if (!drawn) return null;
  const { path, size } = drawn;
  return (
    <svg
      className={className}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} className={classes.ground} />
      <path d={path} className={classes.dots} />
    </svg>
  );
}

/** The dark modules as one path, with a quiet zone of two modules; null if the text is too long. */
export function drawCode(text: string): { path: string; size: number } | null {
  if (text.length > TEXT_MAX_LENGTH) return null;
  const { data, size } = encode(text, { ecc: "L", border: 2 });
  let path = "";
  for (const [y, row] of data.entries()) {
    for (let x = 0; x < size; x += 1) {
      let width = 0;
      while (row[x + width]) width += 1;
      if (width > 0) path += `M${x} ${y}h${width}v1h-${width}z`;
      x += width;
    }
  }
  return { path, size };
}
