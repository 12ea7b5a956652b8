import {
  CellStyleModule,
  ColumnApiModule,
  ColumnAutoSizeModule,
  CustomEditorModule,
  EventApiModule,
  InfiniteRowModelModule,
  ModuleRegistry,
  PinnedRowModule,
  RenderApiModule,
  RowApiModule,
  RowSelectionModule,
  RowStyleModule,
  ScrollApiModule,
  themeQuartz,
} from "ag-grid-community";

/** The only modules of AG Grid that the product carries; one that is missing here does not exist. */
ModuleRegistry.registerModules([
  CellStyleModule,
  ColumnApiModule,
  ColumnAutoSizeModule,
  CustomEditorModule,
  EventApiModule,
  InfiniteRowModelModule,
  PinnedRowModule,
  RenderApiModule,
  RowApiModule,
  RowSelectionModule,
  RowStyleModule,
  ScrollApiModule,
]);

/**
 * The grid in the house's own variables: it follows dark mode and density without script, except
 * that row heights are also told to the grid in pixels, because it places rows by number.
 */
export const gridTheme = themeQuartz.withParams({
  backgroundColor: "var(--wf-panel)",
  foregroundColor: "var(--wf-text)",
  borderColor: "var(--wf-line)",
  chromeBackgroundColor: "var(--wf-raised)",
  headerBackgroundColor: "var(--wf-raised)",
  headerTextColor: "var(--wf-text-dim)",
  headerFontWeight: 580,
  headerFontSize: "0.78rem",
  accentColor: "var(--wf-accent)",
  rowHoverColor: "var(--wf-hover)",
  selectedRowBackgroundColor: "color-mix(in srgb, var(--wf-accent) 9%, transparent)",
  fontFamily: "var(--mantine-font-family)",
  fontSize: "0.8125rem",
  cellHorizontalPadding: 12,
  columnBorder: { color: "var(--wf-line)", style: "solid", width: 1 },
  pinnedRowFontWeight: "inherit",
  wrapperBorder: false,
  wrapperBorderRadius: 0,
  headerColumnResizeHandleColor: "var(--wf-line-strong)",
  browserColorScheme: "inherit",
});

/** Row heights in pixels, the same as `--wf-row-height` of the densities. */
export const ROW_HEIGHT_PX = { comfortable: 36, compact: 28 } as const;
export const HEADER_HEIGHT_PX = { comfortable: 36, compact: 30 } as const;
