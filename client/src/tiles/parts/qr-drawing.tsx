import { useMemo } from "react";
import { encode } from "uqr";
import { tilesMessages as messages } from "../../messages/en/tiles.ts";
import classes from "./qr-mark.module.css";

/** The capacity of the largest QR code; an address with a long filter may exceed it. */
const ADDRESS_MAX_LENGTH = 2_900;

/**
 * A QR code that opens exactly the tile's records in the console, with the rights of the user who scans it: it contains
 * an address and no secret. Dark on light also on a dark wallboard, as scanners require. An address that is too long is
 * not drawn.
 */
export function QrDrawing({ address }: { address: string }) {
  const drawn = useMemo(() => drawCode(new URL(address, location.origin).href), [address]);
  if (!drawn) return null;
  const { path, size } = drawn;
  return (
    <svg
      className={classes.code}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={messages.qrCode()}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} className={classes.ground} />
      <path d={path} className={classes.dots} />
    </svg>
  );
}

/** The dark modules as one path, with a quiet zone of two modules; null if the text is too long. */
export function drawCode(text: string): { path: string; size: number } | null {
  if (text.length > ADDRESS_MAX_LENGTH) return null;
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
