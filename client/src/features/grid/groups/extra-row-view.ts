import type { ICellRendererComp, ICellRendererParams } from "ag-grid-community";
import { deepEqual } from "../../../../../shared/document/deep-equal.ts";
import type { Json } from "../../../../../shared/filter/filter.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { formatDay } from "../../../records/fields/instant.ts";
import { summaryDetail } from "../../../records/summary/summary-text.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { formatCount } from "../../../ui/numbers.ts";
import { paintValue } from "../cells/paint-value.ts";
import { createElement } from "../create-element.ts";
import type { GridController } from "../grid-controller.ts";
import { addAt, canAddTo, isGroupHidden } from "./add-to-group.ts";
import type { GroupedView } from "./group-rows.ts";

type Params = ICellRendererParams<RecordView> & { grid: GridController };

/**
 * The heading of a group: its value as cells show it, the number of its records, and the summaries of the columns. Or the
 * row that begins a new record.
 */
export class ExtraRowView implements ICellRendererComp<RecordView> {
  #params!: Params;
  #stops: (() => void)[] = [];
  readonly #root = createElement("div", "");
  readonly #toggle = createButton("wf-heading-toggle");
  readonly #label = createElement("span", "wf-heading-label");
  readonly #count = createElement("span", "wf-heading-count");
  readonly #details = createElement("span", "wf-heading-details");
  readonly #add = createButton("wf-heading-add");

  init(params: Params): void {
    this.#params = params;
    const { groups, labels } = params.grid;
    this.#root.role = "gridcell";
    this.#root.addEventListener("click", ({ target }) => {
      if (target === this.#add) addAt(params.grid, this.#index);
      else runExtraRow(params.grid, this.#index);
    });
    const paint = () => this.#paint();
    this.#stops = [groups.onChange(paint), labels.onArrived(paint)];
    paint();
  }

  getGui(): HTMLElement {
    return this.#root;
  }

  refresh(params: Params): boolean {
    this.#params = params;
    this.#paint();
    return true;
  }

  destroy(): void {
    for (const stop of this.#stops) stop();
  }

  get #index(): number {
    return this.#params.node.rowIndex ?? -1;
  }

  #paint(): void {
    const { grid } = this.#params;
    const row = grid.groups.at(this.#index);
    if (row?.kind === "new") {
      this.#root.className = "wf-new-row";
      this.#label.className = "wf-heading-label";
      this.#label.textContent = messages.newRecord({ record: grid.table.recordLabel });
      this.#root.replaceChildren(this.#label);
    } else if (row && grid.groups.view) this.#paintHeading(grid.groups.view, row.key);
  }

  #paintHeading(view: GroupedView, key: Json): void {
    const { grid } = this.#params;
    if (this.#root.className !== "wf-heading") {
      this.#root.className = "wf-heading";
      this.#root.replaceChildren(
        ...[this.#toggle, this.#label, this.#count, this.#add, this.#details],
      );
    }
    paintGroup(grid, view, key, this.#label);
    const group = this.#label.textContent ?? "";
    const isHidden = isGroupHidden(view.groups, key);
    this.#toggle.ariaExpanded = String(!isHidden);
    this.#toggle.ariaLabel = messages.rowsOfGroup({ group });
    this.#add.hidden = !canAddTo(grid, view.groups, key);
    this.#add.ariaLabel = messages.newInGroup({ group });
    this.#add.title = this.#add.ariaLabel;
    const { count, note = "", details } = countGroup(view, key);
    this.#count.textContent = count;
    this.#count.title = view.problem ?? note;
    const spans = details.map((text) => createElement("span", "wf-heading-detail", text));
    this.#details.replaceChildren(...spans);
  }
}

/** Shows the rows of a group, or hides them. */
export function toggleGroup({ groups }: GridController, index: number, isHidden?: boolean): void {
  const heading = groups.at(index);
  if (heading?.kind !== "heading" || !groups.view) return;
  const wasHidden = isGroupHidden(groups.view.groups, heading.key);
  if (isHidden !== wasHidden) groups.hide(heading.key, !wasHidden);
}

/** What a click and Enter do: show or hide a group, or begin a record. */
export function runExtraRow(grid: GridController, index: number): void {
  if (grid.groups.at(index)?.kind === "new") addAt(grid, index);
  else toggleGroup(grid, index);
}

const month = new Intl.DateTimeFormat(undefined, {
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

/** A group's value as its cells show it; days and months by their names. */
function paintGroup(
  { labels }: GridController,
  { groups: { field, grouping } }: GroupedView,
  key: Json,
  into: HTMLElement,
): void {
  into.classList.toggle("wf-empty", key === null);
  if (key === null) into.textContent = messages.emptyGroup({ field: field.label });
  else if (grouping.by === undefined) paintValue(into, field, key, labels);
  else into.textContent = dayText(String(key), grouping.by === "month");
}

function dayText(day: string, isMonth: boolean): string {
  const at = Date.parse(`${day}T00:00:00Z`);
  return isMonth && !Number.isNaN(at) ? month.format(at) : formatDay(day);
}

/** A button for the pointer: by keyboard, the heading itself has the focus. */
function createButton(className: string): HTMLButtonElement {
  const made = document.createElement("button");
  made.className = className;
  made.type = "button";
  made.tabIndex = -1;
  return made;
}

interface GroupCount {
  count: string;
  /** What there is to say of the count. */
  note?: string;
  details: string[];
}

/** The count and the summaries of a group; of a new query some may be missing yet. */
export function countGroup(
  view: Pick<GroupedView, "counted" | "further" | "columns" | "isExact">,
  key: Json,
): GroupCount {
  const { counted, further, columns } = view;
  const isKey = (one: { key: Json }) => deepEqual(one.key, key);
  const first = counted?.find(isKey);
  const row = first ?? further?.rows.find(isKey);
  const isAwaited = !counted || (further && !further.keys.some((one) => deepEqual(one, key)));
  if (!row && isAwaited) return { count: messages.summaryWaiting(), details: [] };
  const { isExact } = first || !further ? view : further;
  if (!row && !isExact)
    return { count: messages.notCounted(), note: messages.notCountedYet(), details: [] };
  const [count, ...others] = row?.values ?? [0];
  const value = formatCount(Number(count));
  const details = columns.flatMap(({ column, op }, index) => {
    const of = others[index];
    if (of === undefined) return [];
    return [summaryDetail(column, op, of, Number(count))];
  });
  if (isExact) return { count: value, details };
  return {
    count: messages.summaryEstimate({ value }),
    note: messages.summaryEstimated(),
    details,
  };
}
