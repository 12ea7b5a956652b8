import type { Json } from "../../shared/filter/filter.ts";
import { literalOf } from "../../shared/filter/operand.ts";
import { toNfc, toNfd } from "../../shared/filter/to-nfc.ts";
import type { WireRecord } from "../../shared/protocol/record.ts";
import type { Identity } from "../auth/identity.ts";
import type { Commands } from "../commands/commands.ts";

export interface Matching {
  table: string;
  field: string;
  values: readonly Json[];
  /** Texts that mean some of the values, as another program may have stored them. */
  written?: readonly string[];
  /** The fields to read. */
  fields: string[];
  /** Records of one page. */
  limit: number;
  textOf: (record: WireRecord) => string;
  /** The text under which a stored one is found; by default its composed form. */
  asKey?: (text: string) => string;
}

/**
 * Records by the text of their value, in the scope of the user. Several records of a text show that it identifies none: not
 * all of them are read. A text that another program stored in normal form D is the same text.
 */
export async function matchingRecords(
  commands: Pick<Commands, "readPage">,
  identity: Identity,
  matching: Matching,
): Promise<Map<string, WireRecord[]>> {
  const { written = [], asKey = toNfc } = matching;
  const found = new Map<string, WireRecord[]>();
  const add = async (values: readonly Json[]) => {
    for (const [text, records] of await recordsOf(commands, identity, { ...matching, values })) {
      const key = asKey(text);
      found.set(key, [...(found.get(key) ?? []), ...records]);
    }
  };
  await add(matching.values);
  if (written.length > 0) await add(written);
  const texts = matching.values.filter((value) => typeof value === "string");
  const decomposed = texts.map(toNfd).filter((text, at) => text !== texts[at]);
  if (decomposed.length > 0) await add(decomposed);
  return found;
}

/** Of each text at most two records. Values that have two are not asked for again: many records may have them. */
async function recordsOf(
  commands: Pick<Commands, "readPage">,
  identity: Identity,
  { table, field, values, fields, limit, textOf }: Matching,
): Promise<Map<string, WireRecord[]>> {
  const found = new Map<string, WireRecord[]>();
  let open = values;
  /** Records of the values that are still asked for. */
  let seen: string[] = [];
  while (open.length > 0) {
    const filter = { field, op: "in" as const, value: open.map(literalOf) };
    const call = { table, filter, fields, limit, offset: seen.length };
    const { records } = await commands.readPage(identity, call);
    for (const record of records) {
      const text = textOf(record);
      const own = found.get(text) ?? [];
      if (own.length < 2) found.set(text, [...own, record]);
      seen.push(text);
    }
    if (records.length < limit) break;
    const isOpen = (text: string) => (found.get(text)?.length ?? 0) < 2;
    const closed = new Set(open.map(String).filter((text) => !isOpen(text)));
    open = open.filter((value) => !closed.has(String(value)));
    seen = seen.filter((text) => !closed.has(text));
  }
  return found;
}
