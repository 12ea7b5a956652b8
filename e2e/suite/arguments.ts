/** What `npm test` and `npm run proof` were asked for. */
export interface SuiteArguments {
  readonly options: ReadonlySet<string>;
  readonly words: readonly string[];
  /** Of `-t`: only tests whose name matches. */
  readonly name?: string | undefined;
}

/** Options are those of `known`; any other is an error, as a mistyped one would run something else. */
export function readArguments(args: readonly string[], known: readonly string[]): SuiteArguments {
  const at = args.indexOf("-t");
  const name = at < 0 ? undefined : args[at + 1];
  const rest = at < 0 ? args : args.toSpliced(at, 2);
  const isOption = (word: string) => word.startsWith("-");
  const unknown = rest.find((word) => isOption(word) && !known.includes(word));
  if (unknown) throw new Error(`Unknown option ${unknown}. There are: ${known.join(", ")}, -t.`);
  return {
    options: new Set(rest.filter(isOption)),
    words: rest.filter((word) => !isOption(word)),
    ...(name !== undefined && { name }),
  };
}
