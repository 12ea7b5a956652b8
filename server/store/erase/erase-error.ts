/** Why nothing was erased, in a sentence for the operator. */
export class EraseError extends Error {}
