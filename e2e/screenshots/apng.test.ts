import { crc32, deflateSync } from "node:zlib";
import { expect, it } from "vitest";
import { animate } from "./apng.ts";

/** A PNG of one grey pixel. */
function pixel(value: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(crc32(named), 4);
    return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
  };
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])),
    chunk("IDAT", deflateSync(Buffer.from([0, value]))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

it("joins pictures into an animation with a frame for each", () => {
  const made = animate([pixel(0), pixel(128), pixel(255)], 400).toString("latin1");
  const types = made.match(/IHDR|acTL|fcTL|IDAT|fdAT|IEND/g);
  expect(types).toEqual(["IHDR", "acTL", "fcTL", "IDAT", "fcTL", "fdAT", "fcTL", "fdAT", "IEND"]);
});

it("refuses to animate nothing", () => {
  expect(() => animate([], 400)).toThrow();
});
