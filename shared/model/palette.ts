/** Names of the interface's colours that can be told apart, on light and dark: for people and options. */
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
