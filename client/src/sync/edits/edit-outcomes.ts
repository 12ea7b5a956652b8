import type { EditRef } from "../../state/record-view.ts";
import type { EditOutcome } from "./pending-edits.ts";
import { refKey } from "./pending-op.ts";

/** The promises that callers hold for their ops. Each resolves once, with the first outcome. */
export class EditOutcomes {
  readonly #open = new Map<string, (outcome: EditOutcome) => void>();

  promise(ref: EditRef): Promise<EditOutcome> {
    return new Promise((resolve) => this.#open.set(refKey(ref), resolve));
  }

  resolve(ref: EditRef, outcome: EditOutcome): void {
    this.#open.get(refKey(ref))?.(outcome);
    this.#open.delete(refKey(ref));
  }
}
