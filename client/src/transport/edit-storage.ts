import type { Json } from "../../../shared/filter/filter.ts";
import type { WireOp } from "../../../shared/protocol/mutate.ts";
import type { ClientOrigin } from "../../../shared/protocol/record.ts";

/** The refusal of an op. Stored, so that a reload does not lose the edit. */
export interface StoredRefusal {
  code: string;
  message: string;
  detail: Record<string, unknown>;
}

/**
 * A mutation as the browser stores it, from before it is sent until it is answered and needs no decision. A `draft`
 * creates a record that still lacks a value, and is not sent.
 */
export interface StoredMutation {
  /** The wire's mutation id: the same for every attempt. */
  id: string;
  /** Only this user ever sees or sends it. */
  user: string;
  /** The tab that sends it. */
  tab: string;
  /** Ascending in the order of the edits. */
  order: number;
  ops: WireOp[];
  atomic: boolean;
  /** An `edit` leaves it to the server to say how it came about. */
  origin: "edit" | "draft" | ClientOrigin;
  /** The local id of a new record, until the server has assigned its own. */
  draft?: string;
  /** The group of rows that a draft was begun in. */
  begunIn?: { field: string; key: Json };
  /** By op; a mutation with refusals is not sent any more. Empty while it waits. */
  refusals: Record<number, StoredRefusal>;
}

/**
 * Where edits wait. One implementation in the browser (IndexedDB), one in memory; both pass the same
 * contract. `putAll` resolves only when the mutations would survive the page, and later writes never
 * overtake earlier ones.
 */
export interface EditStorage {
  load(user: string): Promise<StoredMutation[]>;
  putAll(mutations: readonly StoredMutation[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
}
