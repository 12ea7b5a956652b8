import { describe, expect, it, onTestFinished } from "vitest";
import { decorateTexts } from "../../../messages/define-messages.ts";
import { pseudoText } from "../../../messages/start-language.ts";
import { actionOfKey } from "./tile-keys.ts";

const grid = { columns: 12, rows: 8 };
const boxes = { a: { x: 0, y: 0, w: 4, h: 2 }, b: { x: 4, y: 0, w: 4, h: 2 } };

function press(key: string, held: { shift?: boolean; ctrl?: boolean } = {}, id = "a") {
  const event = {
    key,
    shiftKey: held.shift ?? false,
    ctrlKey: held.ctrl ?? false,
    metaKey: false,
    altKey: false,
  };
  return actionOfKey(event, id, boxes, grid);
}

describe("the keyboard on the canvas", () => {
  it("moves by arrows and pushes what is in the way", () => {
    expect(press("ArrowRight")).toEqual({
      kind: "put",
      moved: { a: { x: 1, y: 0, w: 4, h: 2 }, b: { x: 4, y: 2, w: 4, h: 2 } },
    });
  });
  it("resizes with Shift", () => {
    expect(press("ArrowLeft", { shift: true })).toMatchObject({ moved: { a: { w: 3, h: 2 } } });
    expect(press("ArrowUp", { shift: true })).toMatchObject({ moved: { a: { w: 4, h: 1 } } });
  });
  it("stops at the edge of the wallboard", () => {
    expect(press("ArrowLeft")).toEqual({ kind: "blocked" });
    expect(press("ArrowUp")).toEqual({ kind: "blocked" });
  });
  it("removes and duplicates, and leaves other keys to the page", () => {
    expect(press("Delete")).toEqual({ kind: "remove" });
    expect(press("d", { ctrl: true })).toEqual({ kind: "duplicate" });
    expect(press("d")).toBeNull();
    expect(press("z", { ctrl: true })).toBeNull();
    expect(press("ArrowLeft", {}, "gone")).toBeNull();
  });
  it("is the same in any language", () => {
    decorateTexts(pseudoText);
    onTestFinished(() => decorateTexts((text) => text));
    expect(press("Delete")).toEqual({ kind: "remove" });
  });
});
