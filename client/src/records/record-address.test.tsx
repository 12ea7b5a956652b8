import { renderToString } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Route, Switch, useSearchParams } from "wouter";
import type { Filter } from "../../../shared/filter/filter.ts";
import { recordAddress, recordAt, tableAddress } from "../../../shared/record-address.ts";
import { AddressRouter } from "../ui/address-router.tsx";
import { boardAddress, recordAddressFrom, searchWithRecord } from "./record-address.ts";
import { readView, tableSettings, writeView } from "./views/view-address.ts";

/** Ids with every character that means something in an address, or that browsers and proxies rewrite. */
const ids = [
  ...["1", "board", "Board", "BOARD", "~board", "~~", "boards", "a/b", "a%2Fb", "a%252Fb"],
  ...["a#b", "a?b=c", "a+b", "a b", "a&b", "a,b", "a;b", "a:b", "a=b", "a@b", "a$b", "a\\b"],
  ...["/", "//", "%", "100 %", "%zz", "%E0%A4%A", "\"<>'`{}|^[]", "(*.!)", " ", "  ", "\t"],
  ...[
    ".",
    "..",
    "~.",
    "~..",
    "...",
    "%2e%2e",
    "../..",
    "/../x",
    "Größe",
    "日本語",
    "👩‍👩‍👧",
    "a\u202eb",
  ],
  ...["x".repeat(400), "é/".repeat(200)],
];

/** What a screen reads of an address that a browser has been sent to, by the router of the page. */
function opened(address: string): unknown {
  const { pathname, search } = new URL(address, "http://desk.example");
  let found: unknown = "nothing";
  const NotFound = () => {
    found = "not found";
    return null;
  };
  const Read = (props: { part: "board" | "table"; table: string; record?: string | undefined }) => {
    const [params] = useSearchParams();
    found = { ...props, params: [...params] };
    return null;
  };
  renderToString(
    <AddressRouter ssrPath={pathname} ssrSearch={search}>
      <Switch>
        <Route path="/t/:table/board">{({ table }) => <Read part="board" table={table} />}</Route>
        <Route path="/t/:table/:record?">
          {({ table, record }) => (
            <Read part="table" table={table} record={record && recordAt(record)} />
          )}
        </Route>
        <Route>
          <NotFound />
        </Route>
      </Switch>
    </AddressRouter>,
  );
  return found;
}

describe("an address", () => {
  it.each(ids)("of the record %j opens that record", (record) => {
    expect(opened(recordAddress("a/b", record))).toEqual({
      part: "table",
      table: "a/b",
      record,
      params: [],
    });
  });

  it.each(ids.filter((id) => id !== "." && id !== ".."))("of the table %j opens it", (table) => {
    expect(opened(tableAddress(table))).toMatchObject({ part: "table", table });
    expect(opened(boardAddress(table))).toMatchObject({ part: "board", table });
  });

  it.each(ids)("of a board with the record %j has that record in its query", (record) => {
    const address = `${boardAddress("t")}${searchWithRecord(new URLSearchParams("q=1"), record)}`;
    const params = [
      ["q", "1"],
      ["record", record],
    ];
    expect(opened(address)).toMatchObject({ part: "board", params });
  });

  it.each([...ids, "w%22x", "50 %25"])("with a filter and a search for %j has both", (text) => {
    const defaults = tableSettings({ sort: [] });
    const filter: Filter = { field: "title", op: "eq", value: text };
    const view = { ...readView(new URLSearchParams(), defaults), filter, search: text };
    const params = writeView(new URLSearchParams(), view, defaults);
    const found = opened(`/t/x?${params}`) as { params: [string, string][] };
    expect(readView(new URLSearchParams(found.params), defaults)).toEqual(view);
  });

  it.each(["/%", "/t/x/%", "/t/x/%zz", "/t/%E0%A4%A", "/t/%E0/board", "/t/x/a%2"])(
    "%s, which is not encoded correctly, is not found",
    (address) => expect(opened(address)).toBe("not found"),
  );
});

describe("a link from outside a table", () => {
  const from = (here: string, table: string, record: string) => {
    const { pathname, search } = new URL(here, "http://desk.example");
    return recordAddressFrom({ pathname, search }, table, record);
  };

  it("opens a record over the view that the page shows of its table", () => {
    const view = "?view=v1&q=a%25b";
    expect(from(`/t/beds${view}`, "beds", "1")).toBe(`/t/beds/1${view}`);
    expect(from(`/t/a%2Fb/2${view}`, "a/b", "a/b")).toBe(`/t/a%2Fb/a%2Fb${view}`);
    expect(from("/t/beds/board?view=v1&record=2", "beds", "a/b")).toBe(
      "/t/beds/board?view=v1&record=a%2Fb",
    );
  });

  it("opens it in its table from anywhere else", () => {
    expect(from("/t/bedside?view=v1", "beds", "1")).toBe("/t/beds/1");
    expect(from("/activity?show=deleted", "beds", "1")).toBe("/t/beds/1");
    expect(from("/t/wards/board?record=2", "beds", "1")).toBe("/t/beds/1");
  });
});
