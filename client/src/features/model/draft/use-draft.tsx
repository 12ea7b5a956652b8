import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { z } from "zod";
import { modelSchema } from "../../../../../shared/model/model-schema.ts";
import type { ModelDocument } from "../../../../../shared/protocol/model.ts";
import { createAtom } from "../../../state/atom-store.ts";
import { connectionAtom, modelUpdatesAtom } from "../../../state/connection-state.ts";
import { store as pageStore } from "../../../state/store.ts";
import { useMe } from "../../../state/use-account.ts";
import { useAtom } from "../../../state/use-atom.ts";
import { modelDraftKey, readFromTab, storeInTab } from "../../../sync/tab-storage.ts";
import { rest } from "../../../transport/rest/rest.ts";
import { problemText } from "../../../ui/problem-text.ts";
import { Unloaded } from "../../../ui/unloaded.tsx";
import { withoutNewIds } from "../document/edit-model.ts";
import type { DraftProblem } from "./find-problems.ts";
import { findProblems } from "./find-problems.ts";
import { type DraftState, ModelDraft, type StoredDraft } from "./model-draft.ts";

/** Checks only the outer structure, because labels may be empty while the user types. */
const storedSchema = z.object({
  base: modelSchema,
  draft: z.object({ version: z.int(), tables: z.array(z.looseObject({ name: z.string() })) }),
});

/** The draft, its problems, and functions on it. */
interface DraftController extends DraftState {
  problems: readonly DraftProblem[];
  edit: ModelDraft["edit"];
  store: ModelDraft;
  /** Publishes the draft and continues from the new version. Throws a refusal. */
  save(confirmLoss: boolean): Promise<void>;
  /** Checks immediately for a newer version. */
  refresh(): Promise<void>;
}

const Context = createContext<DraftController | null>(null);

export function useDraft(): DraftController {
  const controller = useContext(Context);
  if (!controller) throw new Error("useDraft is for parts of the model screen.");
  return controller;
}

/** Loads the published model and the draft, and follows newly published versions. */
export function DraftProvider({ children }: { children: ReactNode }) {
  const me = useMe();
  const update = useAtom(modelUpdatesAtom);
  const live = useAtom(connectionAtom).kind === "live";
  const [store, setStore] = useState<ModelDraft | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const draftRef = useRef<{ store: ModelDraft | null; saving: boolean }>({
    store: null,
    saving: false,
  });
  const refresh = useCallback(async () => {
    const { current } = draftRef;
    if (current.saving) return;
    try {
      const published = await rest("GET /model/versions/{version}", {
        params: { version: "current" },
      });
      setProblem(null);
      if (current.store) return current.store.onPublished(published);
      current.store = draftOf(me.id, published);
      setStore(current.store);
    } catch (error) {
      setProblem(problemText(error));
    }
  }, [me.id]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each update, and each reconnect, is a reason to check.
  useEffect(() => void refresh(), [update, live, refresh]);
  const save = async (confirmLoss: boolean) => {
    const { current } = draftRef;
    if (!current.store || current.saving) return;
    current.saving = true;
    try {
      await rest("PUT /model", {
        query: confirmLoss ? { confirm: "lossy" } : {},
        body: withoutNewIds(current.store.state.draft),
      });
      current.store.adopt(
        await rest("GET /model/versions/{version}", { params: { version: "current" } }),
      );
    } finally {
      current.saving = false;
    }
  };
  if (!store) return <Unloaded problem={problem} reload={() => void refresh()} />;
  return (
    <Provided store={store} save={save} refresh={refresh}>
      {children}
    </Provided>
  );
}

interface ProvidedProps {
  store: ModelDraft;
  save: DraftController["save"];
  refresh: DraftController["refresh"];
  children: ReactNode;
}

function Provided({ store, save, refresh, children }: ProvidedProps) {
  const state = useSyncExternalStore(store.subscribe, () => store.state);
  // Together: an older draft beside a newer base would be checked as a whole.
  const { draft, base } = useDeferredValue(state);
  const problems = useMemo(() => findProblems(draft, base), [draft, base]);
  const controller: DraftController = {
    ...state,
    problems,
    store,
    save,
    refresh,
    edit: (change, tag) => store.edit(change, tag),
  };
  return <Context value={controller}>{children}</Context>;
}

/** A draft outlives its screen: on another one, a notice may still offer to take an edit of it back. */
const lastDraftAtom = createAtom<{ user: string; draft: ModelDraft } | null>(null);

function draftOf(user: string, published: ModelDocument): ModelDraft {
  const last = pageStore.get(lastDraftAtom);
  if (last?.user === user && last.draft.state.base.version <= published.version) {
    last.draft.onPublished(published);
    return last.draft;
  }
  const draft = new ModelDraft(published, readStoredDraft(user));
  let stored: DraftState | undefined;
  const store = () => {
    const { state } = draft;
    // A large model takes a while to write, and another user's publication changes neither.
    if (state.base === stored?.base && state.draft === stored.draft) return;
    stored = state;
    storeDraft(user, state);
  };
  store();
  draft.subscribe(store);
  pageStore.set(lastDraftAtom, { user, draft });
  return draft;
}

/** Stores a user's unsaved changes for this tab. */
function storeDraft(user: string, { base, draft, changed }: DraftState): void {
  storeInTab(modelDraftKey(user), changed ? { base, draft } : null);
}

/** The user's stored unsaved changes in this tab, if there are readable ones. */
function readStoredDraft(user: string): StoredDraft | null {
  const read = storedSchema.safeParse(readFromTab(modelDraftKey(user)));
  return read.success ? (read.data as unknown as StoredDraft) : null;
}
