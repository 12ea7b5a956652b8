/** A change of the user's second factors. */
export type FactorChange =
  | { kind: "addTotp" }
  | { kind: "removeTotp" }
  | { kind: "addPasskey" }
  | { kind: "removePasskey"; id: string; name: string }
  | { kind: "renewCodes" };
