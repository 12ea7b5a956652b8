import { expect, it } from "vitest";
import type { Field } from "../../../../../shared/model/model.ts";
import { formatHtml } from "../actions/copy-range.ts";
import { readClipboard } from "./clipboard-cells.ts";
import { tableOf } from "./html-table.ts";

const texts = (html: string) => tableOf(html)?.map((row) => row.map(({ text }) => text));

/** As Excel writes it: conditional comments, styles, columns, and markers around the range. */
const excel = `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:x="urn:schemas-microsoft-com:office:excel">
<head><meta name=Generator content="Microsoft Excel 15">
<!--[if !mso]><style>v\\:* {behavior:url(#default#VML);}</style><![endif]-->
<style><!--table {mso-displayed-decimal-separator:"\\,";} td {white-space:nowrap;} .xl65 {mso-number-format:"Short Date";}--></style>
</head><body link="#0563C1"><table border=0 cellpadding=0 style='border-collapse:collapse'>
 <col width=64 span=2 style='width:48pt'><colgroup><col width=80></colgroup>
<!--StartFragment-->
 <tr height=20 style='height:15.0pt'>
  <td height=20 class=xl65 align=right width=64 x:num="46348.586805555554">22.11.2026 14:05</td>
  <td x:num>12</td>
  <td align=right x:num="-1234.5"><span style='mso-spacerun:yes'>&nbsp;</span>(1.234,50)</td>
 </tr>
 <tr><td x:str="'00123">00123</td><td colspan=2>two<br>
    lines &amp; &quot;more&quot;</td></tr>
 <tr><td rowspan=2>tall</td><td>1</td><td>2</td></tr>
 <tr><td>3</td><td></td></tr>
<!--EndFragment-->
</table></body></html>`;

it("reads cells, line breaks and merged cells of Excel", () => {
  expect(texts(excel)).toEqual([
    ["22.11.2026 14:05", "12", "(1.234,50)"],
    ["00123", 'two\nlines & "more"', ""],
    ["tall", "1", "2"],
    ["", "3", ""],
  ]);
});

it("reads the numbers behind the texts of Excel, LibreOffice and Google Sheets", () => {
  expect(tableOf(excel)?.[0]?.map(({ number }) => number)).toEqual([
    "46348.586805555554",
    "12",
    "-1234.5",
  ]);
  const libreOffice = `<table cellspacing="0"><tr><td align="right" sdval="0.5" sdnum="1031;">0,50</td></tr></table>`;
  expect(tableOf(libreOffice)).toEqual([[{ text: "0,50", number: "0.5" }]]);
  const sheets = `<google-sheets-html-origin><table><tbody><tr><td data-sheets-value="{&quot;1&quot;:3,&quot;3&quot;:7.25}">$7.25</td></tr></tbody></table>`;
  expect(tableOf(sheets)).toEqual([[{ text: "$7.25", number: "7.25" }]]);
  const small = `<table><tr><td x:num="1.2500000000000001E-2">1%</td></tr></table>`;
  expect(tableOf(small)).toEqual([[{ text: "1%", number: "0.012500000000000001" }]]);
});

it("leaves other HTML to the plain text: no table, several, or characters by unknown names", () => {
  expect(tableOf("<p>Just <b>words</b></p>")).toBeNull();
  expect(tableOf("<table><tr><td>1</td></tr></table><table></table>")).toBeNull();
  expect(tableOf("<table><tr><td>&eacute;</td></tr></table>")).toBeNull();
  expect(tableOf("")).toBeNull();
});

it("reads hostile HTML in linear time, and no table that merged cells make too large", () => {
  const size = 200_000;
  // Its own time: that of the clock depends on what else the machine does.
  const started = process.cpuUsage();
  const table = "<table><tr><td>1</td></tr></table>";
  for (const part of ["<!--", "<style ", "<![", "<!x", "<a", "<a b='", '<a b="']) {
    expect(texts(table + part.repeat(size))).toEqual([["1"]]);
  }
  expect(texts(`<table><tr><td>${"&nbsp;".repeat(size)}x</td></tr></table>`)).toEqual([
    [expect.stringMatching(/^x$/)],
  ]);
  const wide = `<tr>${"<td colspan=1000></td>".repeat(900)}</tr>`;
  expect(tableOf(`<table>${wide}${"<tr><td></td></tr>".repeat(900)}</table>`)).toBeNull();
  expect(tableOf(`<table>${"<tr><td>1</td></tr>".repeat(size)}</table>`)).toHaveLength(size);
  const { user, system } = process.cpuUsage(started);
  expect(user + system).toBeLessThan(10_000_000);
});

it("writes what it reads, with texts that spreadsheets leave alone", () => {
  const name: Field = { name: "name", label: "Name", type: "text" };
  const cost: Field = { name: "cost", label: "Cost", type: "money", scale: 2 };
  const html = formatHtml([
    [
      { field: name, value: "00123 <b>\nx", text: "00123 <b>\nx" },
      { field: cost, value: "1234.50", text: "1234.50" },
    ],
    [
      { field: name, value: null, text: "" },
      { field: cost, value: null, text: "" },
    ],
  ]);
  expect(html).toContain("mso-number-format:'\\@'");
  expect(tableOf(html)).toEqual([
    [{ text: "00123 <b>\nx" }, { text: "1234.50", number: "1234.50" }],
    [{ text: "" }, { text: "" }],
  ]);
});

it("reads the text of a cell that Word, Pages or Outlook put into a paragraph, without a line break before it", () => {
  const outlook = `<table><tr>
    <td>\n<p class=MsoNormal>Tray<o:p></o:p></p>\n</td>
    <td>\n <p class=MsoNormal><o:p>&nbsp;</o:p></p></td>
    <td><p>one</p>\n<p>two</p></td><td><div>one</div><div>two</div></td></tr></table>`;
  expect(texts(outlook)).toEqual([["Tray", "", "one\ntwo", "one\ntwo"]]);
});

it("takes spaces and line breaks from the plain text beside the table, where the text is the same", () => {
  const clipboard = (html: string, plain: string) =>
    readClipboard({
      getData: (type) => (type === "text/html" ? html : type === "text/plain" ? plain : ""),
    }).rows.map((row) => row.map(({ text }) => text));
  const sheets = `<table><tr><td style="white-space:pre-wrap">  a   b\n   c</td><td>x&nbsp;y</td></tr></table>`;
  expect(clipboard(sheets, '"  a   b\n   c"\tx\u00a0y')).toEqual([["  a   b\n   c", "x\u00a0y"]]);
  expect(clipboard(sheets, "something else\tz")).toEqual([["a b c", "x y"]]);
});
