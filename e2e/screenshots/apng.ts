import { crc32 } from "node:zlib";

/**
 * Joins PNG pictures of one size and format into an animated PNG, without decoding them. Where a picture is transparent, the
 * one before it stays.
 */
export function animate(pictures: readonly Buffer[], frameMs: number): Buffer {
  const [first] = pictures;
  if (!first) throw new Error("An animation needs a picture.");
  const header = chunksOf(first).find(({ type }) => type === "IHDR");
  if (!header) throw new Error("The first picture is no PNG.");
  let sequence = 0;
  const number = () => uint32(sequence++);
  const frames = pictures.flatMap((picture, index) => {
    const delay = Buffer.concat([uint16(frameMs), uint16(1000), Buffer.of(0, BLEND_OVER)]);
    const place = Buffer.concat([header.data.subarray(0, 8), uint32(0), uint32(0)]);
    const control = chunk("fcTL", Buffer.concat([number(), place, delay]));
    const data = chunksOf(picture).filter(({ type }) => type === "IDAT");
    // The first frame is also what programs show that know no animations.
    const parts = data.map((part) =>
      index === 0 ? chunk("IDAT", part.data) : chunk("fdAT", Buffer.concat([number(), part.data])),
    );
    return [control, ...parts];
  });
  const control = Buffer.concat([uint32(pictures.length), uint32(0)]);
  return Buffer.concat([
    first.subarray(0, SIGNATURE_BYTES),
    chunk("IHDR", header.data),
    chunk("acTL", control),
    ...frames,
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const SIGNATURE_BYTES = 8;
const BLEND_OVER = 1;

/** The chunks of a PNG: length, type, data, checksum. */
function chunksOf(png: Buffer): { type: string; data: Buffer }[] {
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = SIGNATURE_BYTES; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString("latin1", at + 4, at + 8);
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  return chunks;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  return Buffer.concat([uint32(data.length), named, uint32(crc32(named))]);
}

function uint32(value: number): Buffer {
  const made = Buffer.alloc(4);
  made.writeUInt32BE(value);
  return made;
}

function uint16(value: number): Buffer {
  const made = Buffer.alloc(2);
  made.writeUInt16BE(value);
  return made;
}
