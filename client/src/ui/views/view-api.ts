import type { CreateViewCall, PatchViewCall, ViewInfo } from "../../../../shared/protocol/views.ts";

/** What the screens' views ask of the core. Each call throws what is refused. */
export interface ViewApi {
  /** Keeps the views of a table known, in `viewsAtom`, until the returned function is called. */
  follow(table: string): () => void;
  create(call: CreateViewCall): Promise<ViewInfo>;
  change(id: string, call: PatchViewCall): Promise<ViewInfo>;
  remove(view: ViewInfo): Promise<void>;
  /** Brings a view back that was removed a moment ago. */
  restore(id: string): Promise<ViewInfo>;
}
