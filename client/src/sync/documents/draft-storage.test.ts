import { beforeEach, describe, expect, it } from "vitest";
import type { TextStorage } from "../../transport/storage/browser-storage.ts";
import { singleTabLease } from "../../transport/tab-lease.ts";
import type { ClientCore } from "../client-core.ts";
import { setPageCore } from "../page/page-core.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { memoryTextStorage } from "../testing/memory-text-storage.ts";
import { DraftStorage } from "./draft-storage.ts";
import { adoptDrafts } from "./shared-document.ts";

let clock: FakeClock;
let texts: ReturnType<typeof memoryTextStorage>;

beforeEach(() => {
  clock = new FakeClock(1);
  texts = memoryTextStorage();
});

const openTab = (tab: string, user = "ann", storage: TextStorage | null = texts) =>
  new DraftStorage({ ...{ clock, user, storage }, lease: singleTabLease(tab), onStored: () => {} });
/** What a screen does that opens documents of a kind. */
async function adopt(drafts: DraftStorage, kind: string): Promise<void> {
  setPageCore({ documents: drafts } as ClientCore);
  await adoptDrafts(kind);
  setPageCore(null);
}
/** Longer than an author pauses. */
const pause = () => clock.advance(2_000);

describe("the stored drafts of documents", () => {
  it("are written once their author pauses, or when the page is left", async () => {
    const drafts = openTab("one");
    const written: string[] = [];
    for (const text of ["D", "De", "Desk"]) drafts.put("role.r", () => written.push(text) && text);
    expect([written, texts.length]).toEqual([[], 0]);
    await pause();
    expect([written, openTab("one").own("role.r")]).toEqual([["Desk"], "Desk"]);
    drafts.put("role.r", () => "Front desk");
    expect([drafts.storeNow(), openTab("one").own("role.r")]).toEqual([true, "Front desk"]);
    drafts.put("role.r", () => null);
    expect(drafts.own("role.r")).toBeNull();
    await pause();
    expect([texts.length, drafts.documents()]).toEqual([0, []]);
  });

  it("go on in the author's next page once their tab is closed, never in another user's", async () => {
    openTab("one").put("role.r", () => "mine");
    await pause();
    const [next, stranger] = [openTab("two"), openTab("two", "bob")];
    await adopt(stranger, "role.");
    await adopt(next, "model");
    expect([stranger.documents(), next.documents()]).toEqual([[], []]);
    await adopt(next, "role.");
    expect([next.own("role.r"), next.documents(), texts.length]).toEqual(["mine", ["role.r"], 1]);
  });

  it("are not mixed: that of a closed tab waits while its author has another one of the document", async () => {
    openTab("one").put("role.r", () => "first");
    openTab("two").put("role.r", () => "second");
    await pause();
    const two = openTab("two");
    await adopt(two, "role.");
    expect([two.own("role.r"), texts.length]).toEqual(["second", 2]);
    two.put("role.r", () => null);
    await adopt(two, "role.");
    expect([two.own("role.r"), texts.length]).toEqual(["first", 1]);
  });

  it("stay in the page while the browser refuses them, and are tried again", async () => {
    let isFull = true;
    const storage = {
      ...texts,
      get length() {
        return texts.length;
      },
      setItem(key: string, value: string) {
        if (isFull) throw new Error("full");
        texts.setItem(key, value);
      },
    };
    const drafts = openTab("one", "ann", storage);
    drafts.put("model", () => "mine");
    expect([drafts.storeNow(), drafts.own("model"), drafts.documents()]).toEqual([
      ...[false, "mine", ["model"]],
    ]);
    isFull = false;
    expect([drafts.storeNow(), openTab("one").own("model")]).toEqual([true, "mine"]);
    expect(openTab("three", "ann", null).documents()).toEqual([]);
  });
});
