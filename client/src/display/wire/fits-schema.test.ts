import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { frameSchema } from "../../../../shared/protocol/frame.ts";
import {
  displayProgramSchema,
  goodbyeSchema,
  noticeSchema,
} from "../../../../shared/protocol/signals.ts";
import { plainSchemas } from "../../../wall-schemas.ts";
import { fitsSchema, knownKeywords, type Schema } from "./fits-schema.ts";

const schemas = plainSchemas() as Record<string, Schema>;
const frame = {
  wallboard: "desk",
  version: 1,
  position: { incidents: { epoch: "e", seq: 4 } },
  asOf: "2026-11-21T14:03:12Z",
  tiles: {
    open: { state: "ok", value: "12", series: [{ key: null, label: "x", points: [] }] },
    lights: { state: "ok", rows: [{ key: { any: [1] }, label: "Network", value: 3, alert: null }] },
  },
};

describe("D5 the wall checks what arrives by the same schemas as everybody", () => {
  it("knows every keyword that the schemas of its messages use", () => {
    const used = new Set<string>();
    const visit = (schema: unknown): void => {
      if (Array.isArray(schema)) for (const one of schema) visit(one);
      else if (typeof schema === "object" && schema !== null) {
        for (const [keyword, value] of Object.entries(schema)) {
          used.add(keyword);
          const named = keyword === "properties";
          for (const one of named ? Object.values(value) : [value]) visit(one);
        }
      }
    };
    for (const schema of Object.values(schemas)) visit(schema);
    expect([...used].filter((keyword) => !knownKeywords.includes(keyword))).toEqual([]);
  });

  it("accepts a whole program and every notice, with nullable properties null and set", () => {
    const program = {
      id: "d",
      name: "Hall",
      boards: ["a"],
      rotationSeconds: 30,
      showing: null,
      muted: false,
      zone: null,
      dim: null,
      identifyUntil: null,
      reloadAskedAt: null,
      build: "",
      now: "2026-11-21T14:03:12Z",
    };
    const removed = { kind: "wallboard", wallboard: "a", version: 0, published: null };
    const cases: [string, z.ZodType, unknown][] = [
      ["display", displayProgramSchema, program],
      ["display", displayProgramSchema, { ...program, showing: "a", identifyUntil: program.now }],
      ["display", displayProgramSchema, { ...program, dim: { from: "22:00", to: "06:00" } }],
      ["display", displayProgramSchema, { ...program, showing: 4 }],
      ["display", displayProgramSchema, { ...program, boards: null }],
      ["display", displayProgramSchema, { hello: "world" }],
      ["notice", noticeSchema, { ...removed, removed: true }],
      ["notice", noticeSchema, { ...removed, published: 3, removed: false }],
      ["notice", noticeSchema, { ...removed, published: "3", removed: false }],
      ["goodbye", goodbyeSchema, { reason: "restart", retryAfter: 3 }],
    ];
    for (const [name, schema, value] of cases) {
      const expected = schema.safeParse(value).success;
      expect([name, value, fitsSchema(schemas[name] as Schema, value)]).toEqual([
        name,
        value,
        expected,
      ]);
    }
    expect(fitsSchema(schemas.display as Schema, program)).toBe(true);
    expect(fitsSchema(schemas.notice as Schema, { ...removed, removed: true })).toBe(true);
  });

  it("takes what the schema library takes, and refuses what it refuses", () => {
    const cases: unknown[] = [
      frame,
      { ...frame, tiles: {} },
      { ...frame, more: "of a newer server" },
      { ...frame, version: 1.5 },
      { ...frame, version: "1" },
      { ...frame, asOf: undefined },
      { ...frame, tiles: { open: { state: "unheard of" } } },
      { ...frame, tiles: { open: { state: "ok", rows: {} } } },
      { ...frame, tiles: { open: { state: "ok", rows: [{ key: 1, label: "a" }] } } },
      { ...frame, position: { incidents: { epoch: 1, seq: 4 } } },
      { ...frame, tiles: [] },
      null,
      "<html>",
      [],
    ];
    for (const value of cases) {
      const expected = frameSchema.safeParse(value).success;
      expect([value, fitsSchema(schemas.frame as Schema, value)]).toEqual([value, expected]);
    }
  });
});
