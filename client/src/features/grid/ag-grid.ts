import {
  CellStyleModule,
  ColumnApiModule,
  ColumnAutoSizeModule,
  CustomEditorModule,
  createGrid,
  EventApiModule,
  type GridApi,
  InfiniteRowModelModule,
  LocaleModule,
  ModuleRegistry,
  PinnedRowModule,
  RenderApiModule,
  RowApiModule,
  RowSelectionModule,
  RowStyleModule,
  ScrollApiModule,
  themeQuartz,
} from "ag-grid-community";
import { BASE_FONT_PX, screenScale } from "../../ui/screen-scale.ts";

/** The modules of AG Grid that the product uses. Features of others are not available. */
ModuleRegistry.registerModules([
  CellStyleModule,
  ColumnApiModule,
  ColumnAutoSizeModule,
  CustomEditorModule,
  EventApiModule,
  InfiniteRowModelModule,
  LocaleModule,
  PinnedRowModule,
  RenderApiModule,
  RowApiModule,
  RowSelectionModule,
  RowStyleModule,
  ScrollApiModule,
]);

/** The theme of the grid in the product's CSS variables, so that dark mode needs no script. */
export const gridTheme = themeQuartz.withParams({
  backgroundColor: "var(--wf-panel)",
  foregroundColor: "var(--wf-text)",
  borderColor: "var(--wf-line)",
  chromeBackgroundColor: "var(--wf-raised)",
  headerBackgroundColor: "var(--wf-raised)",
  headerTextColor: "var(--wf-text-dim)",
  headerFontWeight: 600,
  headerFontSize: "var(--wf-font-12)",
  accentColor: "var(--wf-accent)",
  rowHoverColor: "var(--wf-hover)",
  selectedRowBackgroundColor: "color-mix(in srgb, var(--wf-accent) 9%, transparent)",
  fontFamily: "var(--mantine-font-family)",
  fontSize: "var(--wf-font-13)",
  cellHorizontalPadding: 12,
  columnBorder: { color: "var(--wf-line)", style: "solid", width: 1 },
  pinnedRowFontWeight: "inherit",
  wrapperBorder: false,
  wrapperBorderRadius: 0,
  headerColumnResizeHandleColor: "var(--wf-line-strong)",
  browserColorScheme: "inherit",
});

/** A height of the style sheets (app/theme.css) in pixels, because the grid positions rows by numbers. It grows with the text size of the browser. */
export function heightPx(
  of: "row" | "header" | "line",
  at: Element = document.documentElement,
): number {
  const height = getComputedStyle(at).getPropertyValue(`--wf-${of}-height`);
  const unit = height.endsWith("rem") ? BASE_FONT_PX * screenScale() : 1;
  return Math.round(Number.parseFloat(height) * unit);
}

const styleKeeper: { grid?: GridApi } = {};

/**
 * AG Grid removes its style sheets with the last grid, and the next one inserts them again: at another table, or another version
 * of the same one, the browser would compute the style of the whole page anew. A grid without a place in the page keeps them.
 */
export function keepGridStyles(): void {
  styleKeeper.grid ??= createGrid(document.createElement("div"), {
    theme: gridTheme,
    rowModelType: "infinite",
    datasource: { getRows: ({ successCallback }) => successCallback([], 0) },
    columnDefs: [],
  });
}
