/** A screen that the board is laid out for. */
export interface ChosenScreen {
  key: string;
  label: string;
  width: number;
  height: number;
}

export const defaultScreens: readonly ChosenScreen[] = [
  { key: "1080p", label: "Full HD, 1920 × 1080", width: 1920, height: 1080 },
  { key: "4k", label: "4K, 3840 × 2160", width: 3840, height: 2160 },
  { key: "portrait", label: "Standing, 1080 × 1920", width: 1080, height: 1920 },
  { key: "wide", label: "Very wide, 3440 × 1440", width: 3440, height: 1440 },
];

/** How large the screen is, and from how far it is read. */
export interface Viewing {
  diagonalInches: number;
  distanceMetres: number;
}

export const defaultViewing: Viewing = { diagonalInches: 55, distanceMetres: 5 };
