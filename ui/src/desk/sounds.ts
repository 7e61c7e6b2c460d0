// The tones of outcomes, made in code. One sound a scan; each kind can be switched off.
import { isRecord } from '#/lib/check'
import { stored } from '#/lib/stored'

export const TONES = [
  'ok',
  'hold',
  'transit',
  'fee',
  'blocked',
  'question',
  'offline',
  'unheard',
] as const
export type Tone = (typeof TONES)[number]

export interface SoundSettings {
  on: boolean
  /** From 0 to 1. */
  volume: number
  off: Tone[]
}

export const sounds = stored<SoundSettings>({
  name: 'sounds',
  version: 1,
  fallback: { on: true, volume: 0.6, off: [] },
  check: (value): value is SoundSettings =>
    isRecord(value) &&
    typeof value.on === 'boolean' &&
    typeof value.volume === 'number' &&
    value.volume >= 0 &&
    value.volume <= 1 &&
    Array.isArray(value.off),
})

interface Note {
  hz: number
  ms: number
  /** Silence before it. */
  pause?: number
  square?: boolean
}

const NOTES: Record<Tone, readonly Note[]> = {
  ok: [{ hz: 880, ms: 70 }],
  hold: [
    { hz: 659, ms: 80 },
    { hz: 988, ms: 120 },
  ],
  transit: [
    { hz: 784, ms: 80 },
    { hz: 523, ms: 120 },
  ],
  fee: [
    { hz: 880, ms: 70 },
    { hz: 880, ms: 70, pause: 40 },
  ],
  blocked: [
    { hz: 196, ms: 140, square: true },
    { hz: 196, ms: 220, pause: 60, square: true },
  ],
  question: [
    { hz: 523, ms: 90 },
    { hz: 659, ms: 90 },
    { hz: 523, ms: 90 },
  ],
  offline: [
    { hz: 440, ms: 60 },
    { hz: 440, ms: 60, pause: 40 },
  ],
  unheard: [{ hz: 147, ms: 400 }],
}

const ATTACK_S = 0.008
/** The square wave sounds louder than a sine of the same height. */
const SQUARE_SHARE = 0.5
/** Full volume is a quarter of what the device can do: tones should not frighten readers. */
const FULL = 0.25

let audio: AudioContext | undefined
let busyUntil = 0

/** To reach the device takes a slow computer a quarter of a second: before the first scan, not in the middle of it. */
export function prepareSounds(settings = sounds.read()) {
  if (settings.on && typeof AudioContext !== 'undefined') audio ??= new AudioContext()
}

export function play(tone: Tone, settings = sounds.read()) {
  if (!settings.on || settings.off.includes(tone)) return
  prepareSounds(settings)
  const context = audio
  if (!context) return
  // Browsers let a page sound only after it was touched; until then nothing is heard.
  if (context.state === 'suspended') void context.resume()
  // Tones of a burst follow each other a little, but never by more than a second.
  let at = Math.max(context.currentTime, Math.min(busyUntil, context.currentTime + 1))
  for (const { hz, ms, pause = 0, square } of NOTES[tone]) {
    at += pause / 1000
    const length = ms / 1000
    const oscillator = context.createOscillator()
    const gain = context.createGain()
    const loudness = settings.volume * FULL * (square ? SQUARE_SHARE : 1)
    oscillator.type = square ? 'square' : 'sine'
    oscillator.frequency.value = hz
    gain.gain.setValueAtTime(0, at)
    gain.gain.linearRampToValueAtTime(loudness, at + ATTACK_S)
    gain.gain.setValueAtTime(loudness, at + length - ATTACK_S)
    gain.gain.linearRampToValueAtTime(0, at + length)
    oscillator.connect(gain).connect(context.destination)
    oscillator.start(at)
    oscillator.stop(at + length)
    at += length
  }
  busyUntil = at + 0.05
}
