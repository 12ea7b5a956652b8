import type { Json } from "../../shared/filter/filter.ts";
import { type Field, findTable, type Model, type Table } from "../../shared/model/model.ts";
import { scopeOf } from "../../shared/policy/scope.ts";
import type { ErrorBody } from "../../shared/protocol/errors.ts";
import type { Identity } from "../auth/identity.ts";
import { keyIsTaken } from "../commands/check-values.ts";
import type { Commands } from "../commands/commands.ts";
import type { Op } from "../commands/op.ts";
import { keyedValue } from "../commands/touched-records.ts";
import { matchingRecords } from "../import/matching-records.ts";

interface KeyField {
  table: Table;
  field: Field;
  /** By their texts. */
  values: Map<string, Json>;
  taken: Set<string>;
}

/**
 * The new records of a set that are identified by a key. Whether somebody has created one of that key meanwhile is read for
 * many at once, because a table without an index on it is read as a whole.
 */
export class KeyedCreates {
  readonly #fields = new Map<string, KeyField>();

  add(op: Op, model: Model): void {
    const found = this.#find(op, model);
    found?.at.values.set(String(found.value), found.value);
  }

  /**
   * Finds those whose key a record has that the user may read; `limit` of them at once. The ops on a field that the user
   * can't read are refused anyway.
   */
  async read(
    commands: Pick<Commands, "readPage">,
    identity: Identity,
    limit: number,
  ): Promise<void> {
    for (const { table, field, values, taken } of this.#fields.values()) {
      if (!scopeOf(identity.subject, table)?.fields.includes(field.name)) continue;
      const all = [...values.values()];
      for (let from = 0; from < all.length; from += limit) {
        const found = await matchingRecords(commands, identity, {
          ...{ table: table.name, field: field.name, fields: [field.name], limit },
          values: all.slice(from, from + limit),
          textOf: (record) => String(record.values[field.name]),
        });
        for (const text of found.keys()) taken.add(text);
      }
    }
  }

  /** Why an op would be refused; null if its key is free, or it has none. */
  errorOf(op: Op, model: Model): ErrorBody | null {
    const found = this.#find(op, model);
    const isTaken = found?.at.taken.has(String(found.value));
    return found && isTaken ? keyIsTaken(found.at.table, found.at.field).toBody() : null;
  }

  #find(op: Op, model: Model): { at: KeyField; value: Json } | null {
    const table = findTable(model, op.table);
    const keyed = table && keyedValue(table, op);
    if (!table || !keyed) return null;
    const { field, value } = keyed;
    const name = JSON.stringify([table.name, field.name]);
    const at = this.#fields.get(name) ?? { table, field, values: new Map(), taken: new Set() };
    this.#fields.set(name, at);
    return { at, value };
  }
}
