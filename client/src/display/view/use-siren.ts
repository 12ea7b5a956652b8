import { useEffect, useRef } from "react";
import type { Alert, TileFrame } from "../../../../shared/protocol/frame.ts";

const REPEAT_MS = 30_000;
const TONES_HZ = [660, 880];
const TONE_S = 0.18;
const GAIN = 0.12;

/**
 * Plays a sound when an alert with sound appears, and again every 30 s until it is acknowledged. Null mutes it.
 */
export function useSiren(tiles: Readonly<Record<string, TileFrame>> | null): void {
  const sounding = tiles ? soundingAlerts(tiles) : "";
  const audio = useRef<AudioContext>(null);
  useEffect(() => {
    if (sounding === "") return;
    const play = () => {
      audio.current = sound(audio.current);
    };
    play();
    const timer = setInterval(play, REPEAT_MS);
    return () => clearInterval(timer);
  }, [sounding]);
  useEffect(
    () => () => {
      void audio.current?.close().catch(() => {});
      audio.current = null;
    },
    [],
  );
}

/** The sounding alerts as one text; a changed text restarts the sound. */
function soundingAlerts(tiles: Readonly<Record<string, TileFrame>>): string {
  const calls = (id: string, alert: Alert | null | undefined) =>
    alert?.sound && !alert.acknowledged ? [`${id} ${alert.since}`] : [];
  return Object.entries(tiles)
    .flatMap(([id, { alert, rows = [] }]) => [
      ...calls(id, alert),
      ...rows.flatMap((row) => calls(`${id} ${JSON.stringify(row.key)}`, row.alert)),
    ])
    .join("\n");
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
