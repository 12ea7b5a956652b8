import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { leaf } from "../../../../shared/document/document-node.ts";
import { defaultLimits } from "../../../../shared/limits.ts";
import type { Tile } from "../../../../shared/model/wallboard/tile.ts";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import type { WallboardInfo } from "../../../../shared/protocol/wallboards.ts";
import { createAtomStore } from "../../state/atom-store.ts";
import { editCountsAtom, editsStoredAtom } from "../../state/connection-state.ts";
import { draftAtom } from "../../state/draft-state.ts";
import { store as pageStore } from "../../state/store.ts";
import { unsavedTextsAtom, wallboardTextPlace } from "../../state/unsaved-texts.ts";
import { storeUpdateOfAll } from "../../state/updates.ts";
import { createMemoryEditStorage } from "../../transport/memory-edit-storage.ts";
import type { TextStorage } from "../../transport/storage/browser-storage.ts";
import type { TabLease } from "../../transport/tab-lease.ts";
import type { ClientCore } from "../client-core.ts";
import { createClientCore } from "../create-client-core.ts";
import { setPageCore } from "../page/page-core.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { FakeServer, fakeModel } from "../testing/fake-server.ts";
import { buildTile, FakeWallboardServer } from "../testing/fake-wallboard-server.ts";
import { memoryTextStorage } from "../testing/memory-text-storage.ts";
import type { WallboardDraft } from "./wallboard-draft.ts";
import { withTile } from "./wallboard-edits.ts";
import { openDraft } from "./wallboards.ts";

let server: FakeWallboardServer;
let clock: FakeClock;
let storage: ReturnType<typeof memoryTextStorage>;
let cores: ClientCore[];
let openTabs: Set<string>;

beforeEach(() => {
  server = new FakeWallboardServer();
  clock = new FakeClock(1);
  storage = memoryTextStorage();
  cores = [];
  openTabs = new Set();
});
afterEach(() => Promise.all(cores.map((core) => core.stop())));

/** A page of one user. */
function openPage({
  user = "ann",
  tab = "tab",
  texts = storage,
  store = createAtomStore(),
}: {
  user?: string;
  tab?: string;
  texts?: TextStorage | null;
  store?: ReturnType<typeof createAtomStore>;
} = {}) {
  const core = createClientCore({
    ...{ store, clock, texts, lease: leaseOf(tab) },
    transport: new FakeServer(clock).transport(user),
    storage: createMemoryEditStorage(),
    wallboards: { api: () => server, describe: String },
    context: () => ({
      user: { id: user, name: user, attributes: {} },
      model: fakeModel,
      limits: defaultLimits,
      textOrder: "en",
    }),
  });
  cores.push(core);
  core.start();
  const state = () => store.get(draftAtom("b"));
  let draft: WallboardDraft | undefined;
  const add = async (tile: Tile) => {
    const info = state().info as WallboardInfo;
    draft?.edit(info, withTile(info, tile));
    await clock.advance(0);
  };
  return {
    ...{ core, store, state },
    waiting: () => store.get(editCountsAtom).waiting,
    texts: () => store.get(unsavedTextsAtom),
    /** Opens the wallboard in the designer. */
    async open() {
      draft = core.drafts.open("b");
      await clock.advance(0);
    },
    /** Types a text into tile `a`. */
    type: (text: string) => add(buildTile("a", { text } as Partial<Tile>)),
    add,
    resolve: (...choice: Parameters<WallboardDraft["resolve"]>) => draft?.resolve(...choice),
  };
}

/** A tab that takes over edits only of tabs whose page was left. */
function leaseOf(tab: string): TabLease {
  openTabs.add(tab);
  return {
    tab,
    async takeOver(other, take) {
      if (openTabs.has(other)) return false;
      await take();
      return true;
    },
    release: () => void openTabs.delete(tab),
  };
}

const textOf = (wallboard: Pick<WallboardInfo, "tiles"> | null, id = "a") => {
  const tile = wallboard?.tiles.find((one) => one.id === id);
  return tile?.kind === "text" ? tile.text : undefined;
};
/** Longer than a page waits before it tries again. */
const RETRY_MS = 20_000;

describe("unsaved edits of wallboards", () => {
  it("are sent after a reload, whether or not their wallboard is opened", async () => {
    const page = openPage();
    await page.open();
    server.isAway = true;
    await page.type("one");
    expect([page.waiting(), page.core.storeBeforeLeaving()]).toEqual([1, true]);
    await page.core.stop();

    const again = openPage();
    await clock.advance(RETRY_MS);
    expect(again.waiting()).toBe(1);
    server.isAway = false;
    await clock.advance(RETRY_MS);
    expect([textOf(server.wallboard), again.waiting(), storage.length]).toEqual(["one", 0, 0]);
  });

  it("are shown to their author who leaves the wallboard and returns while the server is unavailable", async () => {
    const page = openPage();
    await page.open();
    server.isAway = true;
    await page.type("one");
    await page.open();
    expect([textOf(page.state().info), page.state().waiting]).toEqual(["one", 1]);
  });

  it("are shown at once when their wallboard is opened after a reload, and not stored twice", async () => {
    const page = openPage();
    await page.open();
    server.isAway = true;
    await page.type("one");
    await page.core.stop();
    server.isAway = false;
    const again = openPage();
    await again.open();
    await clock.advance(RETRY_MS);
    expect([textOf(again.state().info), textOf(server.wallboard)]).toEqual(["one", "one"]);
    expect([server.calls.length, storage.length]).toEqual([1, 0]);
  });

  it("are taken over from a tab that is gone, by the same user only", async () => {
    const page = openPage();
    await page.open();
    server.isAway = true;
    await page.type("one");
    const other = openPage({ tab: "other" });
    const stranger = openPage({ tab: "third", user: "bob" });
    await clock.advance(RETRY_MS);
    expect([other.waiting(), stranger.waiting()]).toEqual([0, 0]);
    await page.core.stop();
    await clock.advance(RETRY_MS);
    expect([other.waiting(), stranger.waiting()]).toEqual([1, 0]);
    server.isAway = false;
    await clock.advance(RETRY_MS);
    expect([textOf(server.wallboard), storage.length]).toEqual(["one", 0]);
  });

  it.each(["tab", "other"])(
    "that an earlier build stored are sent once, by tab %s",
    async (tab) => {
      const before = openPage();
      await before.open();
      server.isAway = true;
      await before.type("one");
      await before.core.stop();
      const [stored = ""] = storage.items.values();
      storage.items.clear();
      const old = { tab: "tab", board: "b", edits: JSON.parse(stored).draft };
      storage.setItem("watchfloor.board-edits.ann.tab.b", JSON.stringify(old));
      storage.setItem("watchfloor.board-edits.bob.tab.b", JSON.stringify(old));

      server.isAway = false;
      const page = openPage({ tab });
      await clock.advance(RETRY_MS);
      expect([textOf(server.wallboard), page.waiting(), server.calls.length]).toEqual([
        "one",
        0,
        1,
      ]);
      expect([...storage.items.keys()]).toEqual(["watchfloor.board-edits.bob.tab.b"]);
    },
  );

  it("that conflict are asked about again after a reload, until their author decides", async () => {
    const page = openPage();
    await page.open();
    server.colleague(buildTile("a", { text: "theirs" } as Partial<Tile>), "a");
    await page.type("mine");
    expect(page.state().conflicts).toHaveLength(1);
    await page.core.stop();

    const again = openPage();
    await again.open();
    const [conflict] = again.state().conflicts;
    expect(conflict).toMatchObject({ path: ["tiles", "a", "text"], mine: leaf("mine") });
    if (conflict) again.resolve(conflict, "mine");
    await clock.advance(0);
    expect([textOf(server.wallboard), storage.length]).toEqual(["mine", 0]);
  });

  it.each(["not_found", "forbidden"] as const)(
    "that can't be saved any more (%s) are shown to their author, who can copy them, also where their wallboard is not open",
    async (refusal) => {
      const page = openPage();
      await page.open();
      server.isAway = true;
      await page.type("one");
      await page.type("two");
      await page.core.stop();
      server.isAway = false;
      server.refusal = refusal;

      const again = openPage();
      await clock.advance(RETRY_MS);
      const reason = String(new Refusal(refusal));
      const place = { ...wallboardTextPlace("b"), reason };
      expect(again.waiting()).toBe(0);
      expect(again.texts().toSorted((a, b) => (a.text < b.text ? -1 : 1))).toMatchObject([
        { ...place, text: "one" },
        { ...place, text: "two" },
      ]);
      await again.core.stop();
      expect(
        openPage()
          .texts()
          .map(({ text }) => text)
          .sort(),
      ).toEqual(["one", "two"]);
    },
  );

  it("that can't be saved any more are shown as JSON where they are no single text", async () => {
    const page = openPage();
    await page.open();
    server.isAway = true;
    await page.add(buildTile("new", { text: "mine" } as Partial<Tile>));
    server.isAway = false;
    server.refusal = "not_found";
    await clock.advance(RETRY_MS);
    expect(page.state().phase).toBe("gone");
    expect(page.texts()).toHaveLength(1);
    expect(JSON.parse(page.texts()[0]?.text ?? "")).toMatchObject({
      tiles: { new: { kind: "text", text: "mine" } },
    });
  });

  it("hold back leaving the page where the browser does not store them", async () => {
    const page = openPage({ texts: null });
    await page.open();
    server.isAway = true;
    await page.type("one");
    const isStored = () => [page.store.get(editsStoredAtom), page.core.storeBeforeLeaving()];
    expect(isStored()).toEqual([false, false]);
    server.isAway = false;
    await clock.advance(RETRY_MS);
    expect(isStored()).toEqual([true, true]);
  });
});

it("reads an open wallboard again after a lost connection", async () => {
  const { core, state } = openPage({ store: pageStore });
  setPageCore(core);
  const { leave } = openDraft("b");
  await clock.advance(0);
  server.colleague(buildTile("a", { text: "theirs" } as Partial<Tile>), "a");
  storeUpdateOfAll(pageStore);
  await clock.advance(0);
  expect(textOf(state().info)).toBe("theirs");
  leave();
  setPageCore(null);
});
