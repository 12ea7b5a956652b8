import { expect, it } from "vitest";
import {
  hasPendingFile,
  namePendingTable,
  reopenPendingFile,
  setPendingFile,
  takePendingFile,
} from "./pending-import.ts";

it("gives the file to the table that it waits for, once, and not while a draft is made of it", () => {
  const file = { file: new File(["a"], "a.csv"), nullText: "-" };
  setPendingFile("id", file);
  namePendingTable("jobs");
  expect([takePendingFile("id"), takePendingFile("jobs")]).toEqual([null, expect.anything()]);
  expect(takePendingFile("jobs")).toBeNull();
  setPendingFile("jobs", { ...file, changeSet: "set" });
  expect([hasPendingFile("jobs"), takePendingFile("jobs")]).toEqual([false, null]);
  reopenPendingFile();
  expect(takePendingFile("jobs")).toMatchObject(file);
});
