import type { SignInMethods } from "../../../shared/protocol/identity-providers.ts";

/** Signs in by a provider anew, and leads to the dialog that adds a passkey: for some minutes after a sign-in, it asks for no other proof. */
export const addPasskeyAddress = (provider: string) =>
  `/sign-in/${encodeURIComponent(provider)}?returnTo=${encodeURIComponent("/me?add=passkey")}`;

/** Whether a provider was asked who somebody is, and has not asked them, or does not say that it has. */
export const isUnableToConfirm = (problem: SignInMethods["problem"] | undefined) =>
  problem?.reason === "noTime" || problem?.reason === "tooOld";
