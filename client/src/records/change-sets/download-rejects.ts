import { BYTE_ORDER_MARK, csvLine } from "../../../../shared/csv-line.ts";
import { rowTexts } from "../../../../shared/error-texts/row-texts.ts";
import type { RejectedRow } from "../../../../shared/protocol/import-report.ts";
import { addExplanations } from "../../messages/en/explanations.ts";
import { importMessages as messages } from "../../messages/en/import.ts";
import { sentText } from "../../messages/error-text.ts";
import { rest } from "../../transport/rest/rest.ts";

addExplanations(rowTexts);

/** Saves the rejected rows of a set's file as CSV, with the reasons in the language of the interface. */
export async function downloadRejects(id: string): Promise<void> {
  const lines: string[] = [];
  for (let after = 0; ; ) {
    const call = { params: { id }, query: { after } };
    const { header, items } = await rest("GET /change-sets/{id}/rejects", call);
    if (after === 0) lines.push(csvLine([messages.line(), messages.reason(), ...header]));
    lines.push(...items.map(rejectedLine));
    const last = items.at(-1);
    if (!last) break;
    after = last.line;
  }
  save("rejected-rows.csv", new Blob([BYTE_ORDER_MARK, ...lines], { type: "text/csv" }));
}

function rejectedLine({ line, cells, errors }: RejectedRow): string {
  const reasons = errors.map((error) => {
    const reason = sentText(error.message, error);
    return error.field === undefined ? reason : `${error.field}: ${reason}`;
  });
  return csvLine([String(line), reasons.join(" "), ...cells]);
}

function save(name: string, file: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
