/** The modifier key of shortcuts, as printed on the user's keyboard. */
export const isApple = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "");
export const MOD_KEY = isApple ? "⌘" : "Ctrl";
