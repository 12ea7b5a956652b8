import { isSamePlace, type PresenceEntry } from "./presence-entry.ts";

interface RegistryEntry {
  entry: PresenceEntry;
  node: string;
  until: number;
}

/**
 * Presence entries from all servers. An entry expires after `ttlMs` unless its server refreshes it, so users
 * of a killed server disappear.
 */
export class PresenceRegistry {
  readonly #ttlMs: number;
  readonly #entries = new Map<string, RegistryEntry>();

  constructor(ttlMs: number) {
    this.#ttlMs = ttlMs;
  }

  /** Sets or refreshes an entry; returns the tables whose presence list changed. */
  set(node: string, entry: PresenceEntry): string[] {
    const before = this.#entries.get(entry.connection)?.entry;
    const until = performance.now() + this.#ttlMs;
    // The latest are at the end.
    if (before && !isSamePlace(before, entry)) this.#entries.delete(entry.connection);
    this.#entries.set(entry.connection, { entry, node, until });
    if (!before) return [entry.table];
    if (isSamePlace(before, entry)) return [];
    return before.table === entry.table ? [entry.table] : [before.table, entry.table];
  }

  /** Only the server with the connection can remove its entry. */
  remove(node: string, connection: string): string[] {
    const registered = this.#entries.get(connection);
    if (registered?.node !== node) return [];
    this.#entries.delete(connection);
    return [registered.entry.table];
  }

  /** Replaces a server's entries by its complete list. */
  replace(node: string, entries: readonly PresenceEntry[]): string[] {
    const named = new Set(entries.map(({ connection }) => connection));
    const missing = this.of(node).filter(({ connection }) => !named.has(connection));
    return [
      ...missing.flatMap(({ connection }) => this.remove(node, connection)),
      ...entries.flatMap((entry) => this.set(node, entry)),
    ];
  }

  /** Removes expired entries. */
  expire(): { node: string; entry: PresenceEntry }[] {
    const now = performance.now();
    const expired = [...this.#entries.values()].filter(({ until }) => until <= now);
    for (const { entry } of expired) this.#entries.delete(entry.connection);
    return expired;
  }

  of(node: string): PresenceEntry[] {
    const own = [...this.#entries.values()].filter((registered) => registered.node === node);
    return own.map(({ entry }) => entry);
  }

  on(table: string): PresenceEntry[] {
    const all = [...this.#entries.values()].map(({ entry }) => entry);
    return all.filter((entry) => entry.table === table);
  }
}
