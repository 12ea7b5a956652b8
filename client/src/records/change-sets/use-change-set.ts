import { useState } from "react";
import type { Json } from "../../../../shared/filter/filter.ts";
import type {
  ApplyAnswer,
  ApplyChangeSetCall,
  ChangeSetInfo,
  ChangeSetPreview,
  PatchChangeSetCall,
  PreviewItem,
  PreviewStatus,
  Resolution,
} from "../../../../shared/protocol/change-sets.ts";
import { type ErrorCode, Refusal } from "../../../../shared/protocol/errors.ts";
import { changeSetMessages as messages } from "../../messages/en/change-sets.ts";
import { rest } from "../../transport/rest/rest.ts";
import { isSessionEnd, problemText } from "../../ui/problem-text.ts";
import { toast } from "../../ui/toast.tsx";
import { useAction } from "../../ui/use-action.ts";
import { useRemote } from "../../ui/use-remote.ts";
import { useRepeat } from "../../ui/use-repeat.ts";
import {
  correct,
  correctRejected,
  type RejectedCell,
  type RejectedPage,
  readFailing,
  readRejected,
  resolveAll,
} from "./failing-ops.ts";

/** Notices are sent of states, not of progress: all users would read their lists again for each batch. */
const PROGRESS_INTERVAL_MS = 1_000;
export const PREVIEW_PAGE = 50;

/** Part of a preview: the ops of one status, or all, from a place on. Rejected rows of a draft come first, and need attention like ops that fail. */
interface ShownPart {
  status: PreviewStatus | null;
  offset: number;
}

/** One change set on the screen: what it is, a page of its preview, and what its author can do. */
export interface OpenChangeSet {
  /** Null until it is loaded. */
  info: ChangeSetInfo | null;
  preview: ChangeSetPreview | null;
  /** Of a draft: the rejected rows of its file that are on this page, before its ops. */
  rejected: RejectedPage | null;
  /** The rejected rows among what is shown, on all pages. */
  rejectedCount: number;
  /** Why reading, or the last action, failed. */
  problem: string | null;
  /** The problem is one of the last action. */
  isActionProblem: boolean;
  /** There is no such set, or it changed nothing that the user may see. */
  isMissing: boolean;
  isOwn: boolean;
  isDraft: boolean;
  /** A draft of so many changes that they were checked when its file was read, and are applied each by itself. */
  isVeryLarge: boolean;
  /** An action is running. */
  isBusy: boolean;
  part: ShownPart;
  show(part: ShownPart): void;
  /** The places of ops that are left out although they could be applied. */
  skipped: ReadonlySet<number>;
  setSkipped(index: number, isSkipped: boolean): void;
  /** Throws a refusal. */
  rename(title: string): Promise<void>;
  apply(): Promise<void>;
  cancel(): Promise<void>;
  resolve(resolutions: Resolution[]): Promise<void>;
  resolveAll(keep: Resolution["keep"]): Promise<void>;
  /** Writes another value into a cell that is refused, and if asked into all cells that are for the same value. */
  correct(item: PreviewItem, field: string, value: Json, isForAll: boolean): Promise<void>;
  /** The same for a cell of a rejected row. */
  correctRejected(cell: RejectedCell, value: Json, isForAll: boolean): Promise<void>;
}

/** Opens a change set: follows its progress, and reads its preview again whenever it has changed. */
export function useChangeSet(id: string): OpenChangeSet {
  const params = { id };
  const [part, show] = useState<ShownPart>({ status: null, offset: 0 });
  const [skipped, setSkipped] = useState<ReadonlySet<number>>(new Set());
  const [isApplying, setApplying] = useState(false);
  const [isMissing, setMissing] = useState(false);
  const set = useRemote(
    async () => {
      const info = await rest("GET /change-sets/{id}", { params }).catch((error: unknown) => {
        setMissing(isRefusal(error, "not_found"));
        throw error;
      });
      setMissing(false);
      setApplying(info.state === "applying");
      return info;
    },
    { on: ["changeSets"], key: id },
  );
  useRepeat(set.reload, isApplying ? PROGRESS_INTERVAL_MS : null);
  const info = set.data;
  const version = info ? `${info.state} ${info.version}` : "";
  const rejectedCount = info ? rejectedIn(info, part) : 0;
  const shown = useRemote(
    async () => {
      if (!version) return null;
      const { status, offset } = part;
      const here = Math.min(Math.max(rejectedCount - offset, 0), PREVIEW_PAGE);
      const query = {
        status: status ?? undefined,
        offset: Math.max(offset - rejectedCount, 0),
        limit: Math.max(PREVIEW_PAGE - here, 1),
      };
      const [preview, rejected] = await Promise.all([
        rest("GET /change-sets/{id}/preview", { params, query }),
        here > 0 ? readRejected(id, offset, here) : null,
      ]);
      // The counts are needed also where no op fits on the page.
      return { preview: here < PREVIEW_PAGE ? preview : { ...preview, items: [] }, rejected };
    },
    // Another evaluation follows a change of the set only.
    { key: `${id} ${version} ${part.status} ${part.offset}` },
  );
  const isDraft = info?.state === "draft";
  const { preview = null, rejected = null } = shown.data ?? {};
  const isVeryLarge = isDraft && preview?.isEvaluated === false;
  const action = useAction(textOf);
  const run = async (work: () => Promise<unknown>) => {
    await action.run(work);
    set.reload();
    shown.reload();
  };
  const change = (body: PatchChangeSetCall) => rest("PATCH /change-sets/{id}", { params, body });
  const apply = (body: ApplyChangeSetCall) =>
    rest("POST /change-sets/{id}/apply", { params, body });
  return {
    info,
    ...{ preview, rejected, rejectedCount },
    problem: action.problem ?? set.problem ?? shown.problem,
    isActionProblem: action.problem !== null,
    isMissing,
    isOwn: info?.isOwn ?? false,
    isDraft,
    isVeryLarge,
    isBusy: action.isBusy,
    part,
    show,
    skipped,
    setSkipped: (index, isSkipped) => setSkipped((before) => withIndex(before, index, isSkipped)),
    rename: async (title) => {
      await change({ title });
      set.reload();
    },
    apply: () =>
      run(async () => {
        const failing = preview?.counts.error ? await readFailing(id) : [];
        const version = preview?.version ?? info?.version;
        const skip = [...new Set([...failing.map(({ index }) => index), ...skipped])];
        report(await apply({ version, skip, ...(isVeryLarge && { atomic: false }) }));
      }),
    cancel: () => run(() => rest("POST /change-sets/{id}/cancel", { params })),
    resolve: (resolutions) => run(() => change({ resolve: resolutions })),
    resolveAll: (keep) => run(() => resolveAll(id, keep)),
    correct: (item, field, value, isForAll) =>
      run(() => correct(id, item, [field, value], isForAll)),
    correctRejected: (cell, value, isForAll) =>
      run(() => correctRejected(id, cell, value, isForAll)),
  };
}

/** How many rejected rows a part of a preview has: those of a draft are among what needs attention. */
function rejectedIn({ state, isOwn, import: file }: ChangeSetInfo, { status }: ShownPart): number {
  const isListed = state === "draft" && isOwn && (status === null || status === "error");
  return isListed ? (file?.failed ?? 0) : 0;
}

function isRefusal(error: unknown, code: ErrorCode): boolean {
  return error instanceof Refusal && error.code === code;
}

/** Nothing is applied while an op fails that was not left out: it has conflicted since it was previewed. */
function report({ state, applied, conflicts, refused }: ApplyAnswer): void {
  if (state === "draft") {
    throw new NotApplied(messages.notApplied({ count: conflicts.length + refused.length }));
  }
  if (state === "applied") toast(messages.appliedToast({ count: applied }));
}

/** Carries a text for the user. */
class NotApplied extends Error {}

function textOf(error: unknown): string | null {
  if (error instanceof NotApplied) return error.message;
  return isSessionEnd(error) ? null : problemText(error);
}

function withIndex(before: ReadonlySet<number>, index: number, isIn: boolean): ReadonlySet<number> {
  const next = new Set(before);
  if (isIn) next.add(index);
  else next.delete(index);
  return next;
}
