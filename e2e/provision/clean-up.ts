/**
 * What tests start is stopped in any case: at the end, on a failure, on Ctrl-C. Only `kill -9` prevents it;
 * what that leaves behind is removed by the next run (temp-folder.ts).
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

/** Runs a synchronous task when this process ends; the returned function cancels it. */
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
