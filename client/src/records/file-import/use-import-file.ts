import { useRef, useState } from "react";
import { importMessages as messages } from "../../messages/en/import.ts";
import { detectFormat, type FileFormat } from "./file-format.ts";
import { type FileSample, isWorkbook, sampleOf, textOf } from "./file-sample.ts";

/** A chosen file, its first text, and how it is read. */
export interface OpenFile {
  sample: FileSample;
  text: string;
  format: FileFormat;
}

/**
 * The file to be imported: read once it is chosen, and decoded again when its format is corrected. A file that is read
 * slowly does not replace one that was chosen after it.
 */
export function useImportFile(names: readonly string[]) {
  const [open, setOpen] = useState<OpenFile | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const chosen = useRef<File | null>(null);
  const choose = async (file: File, known: Pick<FileFormat, "nullText"> | null = null) => {
    chosen.current = file;
    try {
      const sample = await sampleOf(file);
      if (chosen.current !== file) return;
      const text = textOf(sample, sample.encoding);
      const problem = problemOf(sample, text);
      setProblem(problem);
      const format = { ...detectFormat(text, sample.encoding, names), ...known };
      setOpen(problem ? null : { sample, text, format });
    } catch {
      if (chosen.current === file) setProblem(messages.unreadableFile());
    }
  };
  const close = () => {
    chosen.current = null;
    setOpen(null);
  };
  const correct = (change: Partial<FileFormat>) => {
    if (!open) return;
    const format = { ...open.format, ...change };
    setOpen({ ...open, format, text: textOf(open.sample, format.encoding) });
  };
  return { open, problem, choose, correct, close };
}

/** Why there is nothing to import in a file. */
function problemOf(sample: FileSample, text: string): string | null {
  if (isWorkbook(sample)) return messages.workbook();
  return text.trim() === "" ? messages.empty() : null;
}
