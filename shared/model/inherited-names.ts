/** Keys that every JavaScript object inherits. */
const inherited: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Whether every object inherits a key of that name. */
export function isInherited(name: string): boolean {
  return inherited.has(name);
}
