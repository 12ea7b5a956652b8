/**
 * What tests start is stopped whatever becomes of them: at the end, on a failure, on Ctrl-C. Only `kill -9` gets
 * past this; what that leaves behind is swept by the next run (temp-folder.ts).
 */
const pending = new Set<() => void>();
let listening = false;

const signals = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

function cleanUpAll(): void {
  for (const task of [...pending].reverse()) {
    pending.delete(task);
    task();
  }
}

function listen(): void {
  if (listening) return;
  listening = true;
  process.on("exit", cleanUpAll);
  for (const [signal, code] of Object.entries(signals)) {
    process.on(signal, () => process.exit(code));
  }
}

/** Has a synchronous task run when this process ends; the answer takes it back (once done properly). */
export function cleanUpAtExit(task: () => void): () => void {
  listen();
  pending.add(task);
  return () => pending.delete(task);
}

/** Ends a process now, if it still lives. */
export function killNow(pid: number | undefined, signal: NodeJS.Signals = "SIGKILL"): void {
  try {
    if (pid) process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}
