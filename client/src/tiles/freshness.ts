/**
 * How far what is shown can be trusted. `live`: proven as of now. `behind`: true, but of some seconds
 * ago. `lost`: nobody knows what is true now; the figures are shown as what they are, old.
 */
export type Freshness = "live" | "behind" | "lost";
