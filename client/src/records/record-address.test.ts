import { expect, it } from "vitest";
import { boardAddress, recordAddress, recordAt } from "./record-address.ts";

it.each(["1", "board", "~board", "~~", "a/b", "100 %", "Größe", "boards"])(
  "the record %j has an address of its own, which leads back to it",
  (record) => {
    const address = recordAddress("a/b", record);
    expect(address).not.toBe(boardAddress("a/b"));
    const [, , table = "", part = "", ...more] = address.split("/");
    expect([decodeURIComponent(table), recordAt(decodeURIComponent(part)), more]).toEqual([
      "a/b",
      record,
      [],
    ]);
  },
);
