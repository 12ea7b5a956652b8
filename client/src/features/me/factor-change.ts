/** What is to be changed about my factors. */
export type FactorChange =
  | { kind: "addTotp" }
  | { kind: "removeTotp" }
  | { kind: "addPasskey" }
  | { kind: "removePasskey"; id: string; name: string }
  | { kind: "renewCodes" };
