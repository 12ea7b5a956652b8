/** A change of the user's second factors. Without `hasPassword` no password is asked for. */
export type FactorChange =
  | { kind: "addTotp"; hasPassword?: boolean }
  | { kind: "removeTotp" }
  | { kind: "addPasskey"; hasPassword: boolean }
  | { kind: "removePasskey"; id: string; name: string; hasPassword: boolean }
  | { kind: "renewCodes" };
