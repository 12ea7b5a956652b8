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
import type { Model } from "../../../../../shared/model/model.ts";
import type { ModelDocument } from "../../../../../shared/protocol/model.ts";
import { connectionAtom, modelUpdatesAtom } from "../../../state/connection-state.ts";
import { useAtom } from "../../../state/use-atom.ts";
import {
  adoptDrafts,
  type DocumentState,
  openDocument,
} from "../../../sync/documents/shared-document.ts";
import { rest } from "../../../transport/rest/rest.ts";
import { problemText } from "../../../ui/problem-text.ts";
import { Unloaded } from "../../../ui/unloaded.tsx";
import { withoutNewIds } from "../document/edit-model.ts";
import type { DraftProblem } from "./find-problems.ts";
import { findProblems } from "./find-problems.ts";
import { type ModelDraft, modelKind } from "./model-draft.ts";

/** The draft, its problems, and functions on it. */
interface DraftController extends DocumentState<Model, ModelDocument> {
  problems: readonly DraftProblem[];
  edit: ModelDraft["edit"];
  store: ModelDraft;
  /** Publishes the draft and continues from the new version. Throws a refusal. */
  save(confirmLoss: boolean): Promise<void>;
  /** Checks immediately for a newer version. */
  refresh(): Promise<void>;
}

/** The name of the draft among those that the browser stores. */
const MODEL = "model";

const Context = createContext<DraftController | null>(null);

export function useDraft(): DraftController {
  const controller = useContext(Context);
  if (!controller) throw new Error("useDraft is for parts of the model screen.");
  return controller;
}

/** Loads the published model and the draft, and follows newly published versions. */
export function DraftProvider({ children }: { children: ReactNode }) {
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
      if (!current.store) await adoptDrafts(MODEL);
      current.store = openDocument(modelKind, MODEL, published);
      setStore(current.store);
    } catch (error) {
      setProblem(problemText(error));
    }
  }, []);
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
