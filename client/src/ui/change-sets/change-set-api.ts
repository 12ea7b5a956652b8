import type {
  ApplyAnswer,
  ApplyChangeSetCall,
  ChangeSetInfo,
  ChangeSetPreview,
  PatchChangeSetCall,
  PreviewStatus,
} from "../../../../shared/protocol/change-sets.ts";

/** A page of a preview, of all ops or of those with one status. */
export interface PreviewPage {
  status: PreviewStatus | null;
  offset: number;
  limit: number;
}

/** What the screens of change sets ask of the core. Each call throws what is refused. */
export interface ChangeSetApi {
  read(id: string): Promise<ChangeSetInfo>;
  preview(id: string, page: PreviewPage): Promise<ChangeSetPreview>;
  change(id: string, call: PatchChangeSetCall): Promise<ChangeSetInfo>;
  apply(id: string, call: ApplyChangeSetCall): Promise<ApplyAnswer>;
  cancel(id: string): Promise<ChangeSetInfo>;
  /** Creates a draft that takes the changes of the set back. */
  revert(id: string): Promise<ChangeSetInfo>;
  remove(id: string): Promise<void>;
}
