import { wallboardsMessages as messages } from "../../../messages/en/wallboards.ts";
/** A screen that the wallboard is laid out for. */
export interface ChosenScreen {
  key: string;
  label: string;
  width: number;
  height: number;
}

export const defaultScreens = (): readonly ChosenScreen[] => [
  { key: "1080p", label: messages.fullHd(), width: 1920, height: 1080 },
  { key: "4k", label: messages.uhd(), width: 3840, height: 2160 },
  { key: "portrait", label: messages.portrait(), width: 1080, height: 1920 },
  { key: "wide", label: messages.wide(), width: 3440, height: 1440 },
];
