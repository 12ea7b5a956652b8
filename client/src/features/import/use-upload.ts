import { useEffect, useRef, useState } from "react";
import { type ImportQuery, importFile } from "../../sync/calls/imports.ts";
import { isSessionEnd, problemText } from "../../ui/problem-text.ts";

/** Sends a file into a new draft, with progress; `onDone` gets the draft. Leaving the screen ends the upload. */
export function useUpload(onDone: (changeSet: string) => void) {
  const [part, setPart] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = async (file: File, query: ImportQuery) => {
    const controller = new AbortController();
    running.current = controller;
    setProblem(null);
    setPart(0);
    try {
      const upload = { file, onProgress: setPart, signal: controller.signal };
      const id = await importFile(file.name.slice(0, 200), query, upload);
      if (id !== null) onDone(id);
    } catch (error) {
      if (!isSessionEnd(error)) setProblem(problemText(error));
    }
    setPart(null);
  };
  return { part, problem, start, cancel: () => running.current?.abort() };
}
