/** What is shown of a label until it is loaded. */
export const LABEL_WAITING = "…";
