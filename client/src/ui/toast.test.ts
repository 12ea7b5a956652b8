import { cleanNotifications, notificationsStore } from "@mantine/notifications";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { toast, toastFailure, toastProgress } from "./toast.tsx";

const { limit } = notificationsStore.getState();
const shown = () => notificationsStore.getState().notifications.map(({ message }) => message);
const waiting = () => notificationsStore.getState().queue.map(({ message }) => message);
const times = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

beforeEach(() => void vi.stubGlobal("document", { querySelector: () => ({}) }));

afterEach(() => {
  cleanNotifications();
  vi.unstubAllGlobals();
});

it("shows a failure at once in place of the oldest confirmation, which does not come back", () => {
  const failure = toastFailure("Not saved.");
  for (const at of times(limit - 1)) toast(`Undone: ${at}.`);
  const second = toastFailure("Not deleted.");
  const rest = times(limit - 1).slice(1);
  expect(shown()).toEqual(["Not saved.", ...rest.map((at) => `Undone: ${at}.`), "Not deleted."]);
  failure.close();
  second.close();
  expect(shown()).toEqual(rest.map((at) => `Undone: ${at}.`));
  expect(waiting()).toEqual([]);
});

it("shows what is newer than failures that nobody has closed, and each of these again", () => {
  const progress = toastProgress("Reading…");
  const failures = times(limit - 1).map((at) => toastFailure(`Failure ${at}.`));
  toast("Deleted.");
  expect(shown()).toContain("Deleted.");
  expect(shown()).toContain("Reading…");
  expect(waiting()).toEqual(["Failure 1."]);
  toastFailure("Failure 5.");
  expect(shown()).toContain("Failure 5.");
  expect(shown()).not.toContain("Deleted.");
  progress.close();
  expect(shown()).toContain("Failure 1.");
  for (const failure of failures) failure.close();
  expect(shown()).toEqual(["Failure 5."]);
});
