/**
 * For commands that take no options but a few switches: `--help` prints the usage and ends, anything unknown
 * is refused. Returns the given switches.
 */
export function readFlags<Flag extends string>(
  args: readonly string[],
  usage: string,
  known: readonly Flag[] = [],
): ReadonlySet<Flag> {
  if (args.includes("--help") || args.includes("-h")) {
    console.log(usage);
    process.exit(0);
  }
  const unknown = args.find((arg) => !(known as readonly string[]).includes(arg));
  if (unknown === undefined) return new Set(args as readonly Flag[]);
  console.error(`There is no option ${unknown}.\n\n${usage}`);
  process.exit(2);
}
