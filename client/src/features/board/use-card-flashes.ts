import { type RefObject, useEffect } from "react";
import { authorColour } from "../../records/fields/author-colour.ts";
import { presenceAtom } from "../../state/table-state.ts";
import { readAtom } from "../../state/watch-atom.ts";
import { pageLabels } from "../../sync/page/page-labels.ts";
import { flashElement } from "../../ui/flash-element.ts";
import type { BoardModel } from "./board-model.ts";

/** Highlights the cards that others have changed. React is not involved: of 200 in a second it would render each twice more. */
export function useCardFlashes(
  model: BoardModel | null,
  table: string,
  board: RefObject<HTMLElement | null>,
): void {
  useEffect(
    () =>
      model?.onFlashes((flashes) => {
        const authors = new Map(flashes.map(({ record, by }) => [record, by]));
        // A card that moves to another column is another element when the next task runs.
        setTimeout(() => {
          const present = readAtom(presenceAtom(table));
          for (const card of board.current?.querySelectorAll<HTMLElement>("[data-card]") ?? []) {
            const by = authors.get(card.dataset.card ?? "");
            const colour = present.find(({ id }) => id === by?.id)?.colour;
            if (by) flashElement(card, authorColour(pageLabels(), by, colour));
          }
        });
      }),
    [model, table, board],
  );
}
