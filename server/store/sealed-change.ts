/** One change of a transaction, with the place in its feed that it got at commit. */
export interface SealedChange {
  table: string;
  record: string;
  mutation: string;
  actor: string;
  seq: number;
}
