/** A function without its first parameter. */
type Bound<F> = F extends (deps: never, ...args: infer Args) => infer Result
  ? (...args: Args) => Result
  : never;

/** Fills in the dependencies of functions, which are their first parameter. */
export function bindAll<
  Deps,
  Functions extends Record<string, (deps: Deps, ...args: never[]) => unknown>,
>(deps: Deps, functions: Functions) {
  const bound = Object.entries(functions).map(([name, run]) => [
    name,
    (...args: never[]) => run(deps, ...args),
  ]);
  return Object.fromEntries(bound) as { [Name in keyof Functions]: Bound<Functions[Name]> };
}
