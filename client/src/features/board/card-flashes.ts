import type { Author } from "../../../../shared/protocol/record.ts";
import type { Flash } from "../../sync/records/flash.ts";

/** How long a changed card is highlighted; as long as the animation in card.module.css. */
const FLASH_MS = 1_800;

/** The authors of recent changes, while their cards are highlighted. */
export class CardFlashes {
  readonly #authors = new Map<string, Author>();
  readonly #onChange: () => void;
  #isClosed = false;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  by(record: string): Author | undefined {
    return this.#authors.get(record);
  }

  add(flashes: readonly Flash[]): void {
    for (const { record, by, mine } of flashes) {
      if (mine) continue;
      this.#authors.set(record, by);
      setTimeout(() => {
        this.#authors.delete(record);
        if (!this.#isClosed) this.#onChange();
      }, FLASH_MS);
    }
    if (flashes.length > 0) this.#onChange();
  }

  close(): void {
    this.#isClosed = true;
  }
}
