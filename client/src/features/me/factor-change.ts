/** A change of the user's second factors. */
export type FactorChange =
  | { kind: "addTotp" }
  | { kind: "removeTotp" }
  | { kind: "addPasskey"; hasPassword: boolean }
  | { kind: "removePasskey"; id: string; name: string; hasPassword: boolean }
  | { kind: "renewCodes" };
