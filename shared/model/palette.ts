/** Distinguishable colours of the interface, on light and dark: for users and options. */
export const palette = [
  "red",
  "pink",
  "grape",
  "violet",
  "indigo",
  "blue",
  "cyan",
  "teal",
  "green",
  "lime",
  "yellow",
  "orange",
] as const;

/** Those for users: without the ones that mark errors and warnings, because a user's colour marks what they edit. */
export const userColours = palette.filter((name) => !["red", "orange", "yellow"].includes(name));
