/*
 * Write to a cell's elements only if the value differs: a cell is painted again with each change of its record, and the
 * browser computes style and layout again for whatever was written to, the same value included.
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
