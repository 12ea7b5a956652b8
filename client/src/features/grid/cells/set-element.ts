/*
 * Write to a cell's elements only if the value differs: a cell is painted again with each change of its record, and the
 * browser computes style and layout again for whatever was written to, the same value included. What else
 * keeps the browser from matching rules for more than the cell that changed:
 *
 * - No rule uses `:has()` on rows or a container of rows by what is in their cells: a row would be matched again whenever text in it changes.
 * - Renderers set the classes of their cells once, because AG Grid removes and adds `cellClass` again with each update of a row. A mark
 *   of the whole row is a data attribute of the row.
 * - A changed cell or card is highlighted by `element.animate()`: no class, so no rule is matched, and no custom property, which all that is in
 *   a card inherits. The code checks for reduced motion, because the style sheet's rule for animations does not apply to it.
 * - Where motion is not wanted, transitions take `0s`. With `0.01ms` each change of any property of any element is a transition: a row
 *   that is marked is matched again in every frame, and then once more for each level of elements in it.
 */

export function setData(element: HTMLElement, name: string, value: string | undefined): void {
  if (value === undefined) delete element.dataset[name];
  else if (element.dataset[name] !== value) element.dataset[name] = value;
}

export function setAttribute(element: HTMLElement, name: string, value: string | null): void {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Sets a data attribute of the cell's row; every cell of the row sets the same value. */
export function setRowData(cell: HTMLElement, name: string, isSet: boolean): void {
  const row = cell.closest<HTMLElement>(".ag-row");
  if (row) setData(row, name, isSet ? "" : undefined);
}

/** Sets the text of an element without child elements. Its text node stays, so that the children don't change. */
export function setText(element: HTMLElement, text: string): void {
  const { firstChild } = element;
  if (!(firstChild instanceof Text) || element.childNodes.length > 1) element.textContent = text;
  else if (firstChild.data !== text) firstChild.data = text;
}
