import { cleanNotifications, notificationsStore } from "@mantine/notifications";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { runUndoStep } from "./undo.ts";

beforeEach(() => void vi.stubGlobal("document", { querySelector: () => ({}) }));

afterEach(() => {
  cleanNotifications();
  vi.unstubAllGlobals();
});

type Report = NonNullable<Awaited<ReturnType<Parameters<typeof runUndoStep>[0]["undo"]>>>;

/** The sentence that is shown of a step with these changes. */
async function sentenceOf(
  changes: Report["changes"],
  skipped: Report["skipped"] = [],
): Promise<unknown> {
  const report = Promise.resolve({ changes, skipped });
  await runUndoStep({ undo: () => report, redo: () => report }, "undo");
  return notificationsStore.getState().notifications.at(-1)?.message;
}

const edited = (record: string) =>
  ({ kind: "update", table: "beds", record, fields: ["Ward"] }) as const;
const deleted = (record: string) =>
  ({ kind: "delete", table: "beds", record, fields: [] }) as const;

it("says of an undone step what was deleted and what was changed, each with its number", async () => {
  expect(await sentenceOf([deleted("a"), edited("b"), edited("c")])).toBe(
    "Undone: 1 record deleted and Ward of 2 beds.",
  );
  expect(await sentenceOf([deleted("a"), deleted("b"), deleted("c")])).toBe(
    "Undone: 3 beds deleted.",
  );
  expect(await sentenceOf([edited("a"), edited("b")])).toBe("Undone: Ward of 2 beds.");
});

it("says of a record that is not deleted again who has changed it since", async () => {
  const skipped = [{ by: "Sam Rivera", code: "record_changed" }];
  expect(await sentenceOf([], skipped)).toBe(
    "Not undone. 1 record was not deleted: Sam Rivera changed it since.",
  );
});

it("says by the button of a step that this was undone already, and nothing by a key that has nothing to undo", async () => {
  const steps = { undo: () => null, redo: () => null };
  await runUndoStep(steps, "undo", { table: "beds" });
  expect(notificationsStore.getState().notifications).toEqual([]);
  await runUndoStep(steps, "undo", { batch: "b1" });
  expect(notificationsStore.getState().notifications.at(-1)?.message).toBe("Undone already.");
});
