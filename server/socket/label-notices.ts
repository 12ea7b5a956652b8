import type { Model, Table } from "../../shared/model/model.ts";
import { type Subject, scopeKey, scopeOf } from "../../shared/policy/scope.ts";
import { compileScope } from "../policy/compiled-scope.ts";
import { projectChange } from "../policy/project-change.ts";
import type { LogChange } from "../store/log-change.ts";
import type { Notice } from "./notices.ts";

/** Changes within this time are one notice, or so many. */
const GATHERED_MS = 1_000;
const GATHERED_MAX_CHANGES = 2_000;

/**
 * Notifies users that labels of linked records have changed, so that screens which show such links read them again: they follow the
 * table that has the links, and not that of the linked records. Only users are notified who would be sent one of the changes themselves,
 * with the field that is the label: a notice reveals no change of a record that its reader may not see.
 */
export class LabelNotices {
  readonly #model: () => Model;
  readonly #notify: (notice: Notice) => void;
  readonly #gathered = new Map<string, LogChange[]>();
  #timer: NodeJS.Timeout | null = null;

  constructor(model: () => Model, notify: (notice: Notice) => void) {
    this.#model = model;
    this.#notify = notify;
  }

  /** Changes of a table were committed. */
  note(name: string, changes: readonly LogChange[]): void {
    if (changes.length === 0 || !this.#linked(name)) return;
    const gathered = this.#gathered.get(name) ?? [];
    gathered.push(...changes);
    this.#gathered.set(name, gathered);
    if (gathered.length >= GATHERED_MAX_CHANGES) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), GATHERED_MS);
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }

  #send(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const all = [...this.#gathered];
    this.#gathered.clear();
    for (const [name, changes] of all) {
      const table = this.#linked(name);
      if (table) this.#notify(labelsNotice(table, changes));
    }
  }

  #linked(name: string): Table | undefined {
    const { tables } = this.#model();
    const isLinked = tables.some(({ fields }) => fields.some(({ target }) => target === name));
    return isLinked ? tables.find((table) => table.name === name) : undefined;
  }
}

function labelsNotice(table: Table, changes: readonly LogChange[]): Notice {
  const concerned = new Map<string, boolean>();
  const concerns = (subject: Subject): boolean => {
    const scope = scopeOf(subject, table);
    if (!scope?.fields.includes(table.display)) return false;
    const key = scopeKey(scope);
    const known = concerned.get(key);
    if (known !== undefined) return known;
    const compiled = compileScope(scope, table);
    const is = changes.some((change) => {
      const seen = projectChange(change, compiled);
      return seen !== null && (seen.kind !== "update" || table.display in seen.set);
    });
    concerned.set(key, is);
    return is;
  };
  return {
    message: { kind: "labels", table: table.name },
    isFor: ({ subject, display }) => !display && concerns(subject),
  };
}
