/** A cell of a copied range: its text as Excel displays it, and the number behind it if it has one. */
export interface ExcelCell {
  text: string;
  number?: string;
  /** The class of its number format. */
  style?: "xl65" | "xl66" | "xl67" | "xl68";
}

/**
 * A range as Excel for Windows puts it on the clipboard, in German settings: the head with its conditional comments and
 * number formats, the columns, and the rows between the fragment's markers.
 */
export function excelHtml(rows: readonly (readonly ExcelCell[])[]): string {
  const widths = (rows[0] ?? []).map(
    () => ` <col width=80 style='mso-width-source:userset;mso-width-alt:2925;width:60pt'>`,
  );
  return `<html xmlns:v="urn:schemas-microsoft-com:vml"\r
xmlns:o="urn:schemas-microsoft-com:office:office"\r
xmlns:x="urn:schemas-microsoft-com:office:excel"\r
xmlns="http://www.w3.org/TR/REC-html40">\r
\r
<head>\r
<meta http-equiv=Content-Type content="text/html; charset=utf-8">\r
<meta name=ProgId content=Excel.Sheet>\r
<meta name=Generator content="Microsoft Excel 15">\r
<link id=Main-File rel=Main-File href="file:///C:/Temp/msohtmlclip1/01/clip.htm">\r
<!--[if !mso]>\r
<style>\r
v\\:* {behavior:url(#default#VML);}\r
.shape {behavior:url(#default#VML);}\r
</style>\r
<![endif]-->\r
<style>\r
<!--table\r
	{mso-displayed-decimal-separator:"\\,";\r
	mso-displayed-thousand-separator:"\\.";}\r
tr\r
	{mso-height-source:auto;}\r
td\r
	{padding-top:1px;mso-ignore:padding;color:black;font-size:11.0pt;mso-number-format:General;}\r
.xl65\r
	{mso-number-format:"Short Date";}\r
.xl66\r
	{mso-number-format:"dd\\/mm\\/yyyy\\\\ hh\\:mm";}\r
.xl67\r
	{mso-number-format:"\\#\\,\\#\\#0\\.00\\\\ \\0022€\\0022";}\r
.xl68\r
	{mso-number-format:Percent;}\r
-->\r
</style>\r
</head>\r
\r
<body link="#0563C1" vlink="#954F72">\r
\r
<table border=0 cellpadding=0 cellspacing=0 width=800 style='border-collapse:\r
 collapse;width:600pt'>\r
${widths.join("\r\n")}\r
<!--StartFragment-->\r
${rows.map(rowHtml).join("\r\n")}\r
<!--EndFragment-->\r
</table>\r
\r
</body>\r
\r
</html>\r
`;
}

function rowHtml(cells: readonly ExcelCell[]): string {
  const inner = cells.map(cellHtml).join("\r\n");
  return ` <tr height=20 style='height:15.0pt'>\r\n${inner}\r\n </tr>`;
}

/** Excel breaks long lines within tags and texts, and indents what follows a line break of a cell. */
function cellHtml({ text, number, style }: ExcelCell): string {
  const shown = text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll("\n", "<br>\r\n    ");
  const format = style ? ` class=${style}` : "";
  if (number === undefined)
    return `  <td${format} style='border-top:none;\r\n  width:60pt' x:str>${shown}</td>`;
  const value = number === text ? "x:num" : `x:num="${number}"`;
  return `  <td height=20${format} align=right style='height:15.0pt' ${value}>${shown}</td>`;
}

/** The same range as text, which Excel puts beside it. */
export function excelText(rows: readonly (readonly ExcelCell[])[]): string {
  const quoted = (text: string) =>
    /["\n\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  return rows.map((cells) => `${cells.map(({ text }) => quoted(text)).join("\t")}\r\n`).join("");
}
