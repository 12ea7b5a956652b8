import type { WireOp } from "../../../shared/protocol/mutate.ts";

/** What became of an op that the server refused: kept, so that a reload loses nobody's words. */
export interface StoredRefusal {
  code: string;
  message: string;
  detail: Record<string, unknown>;
}

/**
 * A mutation as the browser keeps it from before it is sent until it is answered and decided on. A `draft` is the
 * creation of a record that still needs something: it is not sent.
 */
export interface StoredMutation {
  /** The wire's mutation id: the same for every attempt. */
  id: string;
  /** Only this user ever sees or sends it. */
  user: string;
  /** The tab that sends it. */
  tab: string;
  /** Ascending in the order in which the person made the edits. */
  order: number;
  ops: WireOp[];
  atomic: boolean;
  origin: "edit" | "undo" | "draft";
  /** Of a new record: the id under which this browser shows it until the server has given it its own. */
  draft?: string;
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
