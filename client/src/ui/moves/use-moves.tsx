import { Modal } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { findField, type Table, type Values } from "../../../../shared/model/model.ts";
import { governedBy } from "../../../../shared/model/state-of.ts";
import type { Move } from "../../../../shared/policy/possible-transitions.ts";
import { announce } from "../announce.ts";
import type { LookUp } from "../fields/look-up.ts";
import { toastFailure } from "../toast.tsx";
import { type Filled, MoveForm } from "./move-form.tsx";
import { MoveList } from "./move-list.tsx";

interface MovingRecord {
  id: string;
  values: Readonly<Values>;
}

interface Step extends Partial<Filled> {
  transition: string;
  from: string;
}

interface Options {
  table: Table;
  lookUp: LookUp;
  /** Runs the transition; answers the sentence of a refusal, or null. */
  run(table: string, record: string, step: Step): Promise<string | null>;
  onRefused?(record: string): void;
}

interface Asked {
  record: MovingRecord;
  moves: readonly Move[];
}

/**
 * Takes a picked move to its end, the same on panel, grid and board: says why it can't be, asks for
 * what it still needs, asks which one where several lead to the same state, runs it, tells a refusal.
 */
export function useMoves({ table, lookUp, run, onRefused }: Options): {
  begin(record: MovingRecord, moves: readonly Move[]): void;
  dialog: ReactNode;
} {
  const [asked, setAsked] = useState<Asked | null>(null);
  const governed = governedBy(table);
  const field = governed && findField(table, governed.stateField);
  const close = () => setAsked(null);
  const go = async (record: MovingRecord, { transition }: Move, filled: Partial<Filled> = {}) => {
    close();
    const from = String(record.values[field?.name ?? ""] ?? "");
    const refusal = await run(table.name, record.id, {
      transition: transition.name,
      from,
      ...filled,
    });
    if (refusal === null) return announce(`Moved to ${transition.to}.`);
    toastFailure(refusal);
    onRefused?.(record.id);
  };
  const begin = (record: MovingRecord, moves: readonly Move[]) => {
    const possible = moves.filter(({ obstacle }) => obstacle === null);
    const [first] = possible;
    if (!first) {
      toastFailure(moves[0]?.obstacle?.message ?? "This move is not possible here.");
      onRefused?.(record.id);
    } else if (possible.length > 1 || first.missing.length > 0 || first.transition.reason) {
      setAsked({ record, moves: possible });
    } else void go(record, first);
  };
  const [only] = asked?.moves ?? [];
  const isChoice = (asked?.moves.length ?? 0) > 1;
  const dialog = field && (
    <Modal
      opened={asked !== null}
      onClose={close}
      title={isChoice ? `Move this ${table.recordLabel}` : only?.transition.label}
      size={440}
      padding="xl"
    >
      {asked && isChoice && (
        <MoveList
          table={table}
          field={field}
          moves={asked.moves}
          column
          onPick={(move) => begin(asked.record, [move])}
        />
      )}
      {asked && only && !isChoice && (
        <MoveForm
          key={only.transition.name}
          table={table}
          field={field}
          move={only}
          values={asked.record.values}
          lookUp={lookUp}
          onRun={(filled) => void go(asked.record, only, filled)}
          onCancel={close}
        />
      )}
    </Modal>
  );
  return { begin, dialog };
}
