import { useEffect, useRef } from "react";
import type { TileFrame } from "../../../../shared/protocol/frame.ts";
import { type Clock, systemClock } from "../../sync/clock.ts";
import { urgentAlerts } from "../core/wallboard-rotation.ts";

const TONES_HZ = [660, 880];
const TONE_S = 0.18;
const GAIN = 0.12;

/** Plays a sound for the alerts of these tiles (`Siren`, below). Null mutes it. */
export function useSiren(tiles: Readonly<Record<string, TileFrame>> | null): void {
  const siren = useRef<Siren>(null);
  useEffect(() => {
    let audio: AudioContext | null = null;
    const own = new Siren(systemClock, () => {
      audio = sound(audio);
    });
    siren.current = own;
    return () => {
      own.stop();
      void audio?.close().catch(() => {});
    };
  }, []);
  useEffect(() => siren.current?.update(tiles), [tiles]);
}

/**
 * Plays two short tones, and returns what to play the next ones on. Browsers that require a user gesture stay silent; the
 * tile flashes as well.
 */
function sound(used: AudioContext | null): AudioContext | null {
  let audio = used;
  try {
    audio ??= new AudioContext();
    if (audio.state === "suspended") {
      // Unheard tones would only queue up. The next attempt may be allowed.
      void audio.resume().catch(() => {});
      return audio;
    }
    for (const [index, hertz] of TONES_HZ.entries()) {
      const from = audio.currentTime + index * TONE_S * 1.3;
      const [tone, gain] = [audio.createOscillator(), audio.createGain()];
      tone.frequency.value = hertz;
      gain.gain.setValueAtTime(GAIN, from);
      gain.gain.exponentialRampToValueAtTime(0.001, from + TONE_S);
      tone.connect(gain).connect(audio.destination);
      tone.start(from);
      tone.stop(from + TONE_S);
    }
  } catch {
    // A machine without sound.
  }
  return audio;
}

const REPEAT_MS = 30_000;

/** Sounds when an alert with sound appears, and again every 30 s until the last of them is acknowledged. */
export class Siren {
  readonly #clock: Clock;
  readonly #play: () => void;
  #heard: ReadonlySet<string> = new Set();
  #cancel = () => {};

  constructor(clock: Clock, play: () => void) {
    this.#clock = clock;
    this.#play = play;
  }

  /** Takes the values on the screen. Null mutes it. */
  update(tiles: Readonly<Record<string, TileFrame>> | null): void {
    const sounding = new Set(tiles && soundingAlerts(tiles));
    const isNew = [...sounding].some((alert) => !this.#heard.has(alert));
    this.#heard = sounding;
    if (sounding.size === 0) this.stop();
    else if (isNew) this.#sound();
  }

  stop(): void {
    this.#cancel();
  }

  #sound(): void {
    this.#play();
    this.#cancel();
    this.#cancel = this.#clock.after(REPEAT_MS, () => this.#sound());
  }
}

/** The sounding alerts, each as a text of its own. */
function soundingAlerts(tiles: Readonly<Record<string, TileFrame>>): string[] {
  return urgentAlerts(tiles).flatMap(({ key, alert }) => (alert.sound ? [key] : []));
}
