import { useState } from "react";
import { importMessages as messages } from "../../messages/en/import.ts";
import { detectFormat, type FileFormat } from "./file-format.ts";
import { type FileSample, isWorkbook, sampleOf, textOf } from "./file-sample.ts";

/** A chosen file, its first text, and how it is read. */
export interface OpenFile {
  sample: FileSample;
  text: string;
  format: FileFormat;
}

/** The file to be imported: read once it is chosen, and decoded again when its format is corrected. */
export function useImportFile(names: readonly string[]) {
  const [open, setOpen] = useState<OpenFile | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const choose = async (file: File) => {
    try {
      const sample = await sampleOf(file);
      const text = textOf(sample, sample.encoding);
      const problem = problemOf(sample, text);
      setProblem(problem);
      setOpen(
        problem ? null : { sample, text, format: detectFormat(text, sample.encoding, names) },
      );
    } catch {
      setProblem(messages.unreadableFile());
    }
  };
  const correct = (change: Partial<FileFormat>) => {
    if (!open) return;
    const format = { ...open.format, ...change };
    setOpen({ ...open, format, text: textOf(open.sample, format.encoding) });
  };
  return { open, problem, choose, correct, close: () => setOpen(null) };
}

/** Why there is nothing to import in a file. */
function problemOf(sample: FileSample, text: string): string | null {
  if (isWorkbook(sample)) return messages.workbook();
  return text.trim() === "" ? messages.empty() : null;
}
