import { execFile } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Postgres flushes its log by `fdatasync`, unless it is set otherwise. */
const source = (delayMs: number) => `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
int fdatasync(int file) {
  static int (*flush)(int);
  struct timespec delay = {0, ${delayMs} * 1000000L};
  if (!flush) flush = (int (*)(int)) dlsym(RTLD_NEXT, "fdatasync");
  nanosleep(&delay, 0);
  return flush(file);
}
`;

/**
 * The environment of a process whose flushes take so much longer, as on a network disk. Needs Linux and a C compiler;
 * the library is written to `folder`, which the process must be able to read.
 */
export async function slowFlush(folder: string, delayMs: number): Promise<{ LD_PRELOAD: string }> {
  const file = `${folder}/slow-flush`;
  await writeFile(`${file}.c`, source(delayMs));
  try {
    await run("cc", ["-shared", "-fPIC", "-o", `${file}.so`, `${file}.c`, "-ldl"]);
  } catch (cause) {
    throw new Error("A slow flush needs Linux and a C compiler (cc).", { cause });
  }
  await Promise.all([chmod(folder, 0o755), chmod(`${file}.so`, 0o755)]);
  return { LD_PRELOAD: `${file}.so` };
}
