import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HeldKey } from './heldKey'
import { beginsRun, follow } from './run'

const onAnswer = vi.fn()
let held: HeldKey
let now = 0

beforeEach(() => {
  vi.useFakeTimers()
  onAnswer.mockClear()
  held = new HeldKey(() => undefined, onAnswer)
  now += 10_000
})
afterEach(() => {
  vi.useRealTimers()
})

function eventOf(type: string, key: string, gap: number, more: KeyboardEventInit = {}) {
  now += gap
  const event = new KeyboardEvent(type, { key, code: `Digit${key}`, ...more })
  Object.defineProperty(event, 'timeStamp', { value: now })
  return event
}
/** As useCardKeys does; time that a page sees go by is a matter of its own. */
function down(key: string, gap: number, more: KeyboardEventInit = {}) {
  const event = eventOf('keydown', key, gap, more)
  follow(event)
  if (!held.press(event) && key === '1' && beginsRun(event)) held.arm(event)
}
const up = (key: string, gap: number, more: KeyboardEventInit = {}) =>
  held.release(eventOf('keyup', key, gap, more))

test('a finger answers 300 ms after it pressed', () => {
  down('1', 500)
  up('1', 80)
  vi.advanceTimersByTime(219)
  expect(onAnswer).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith('1')
})

test('a scanner that stands still after its first figure does not answer', () => {
  down('1', 500)
  up('1', 8)
  vi.advanceTimersByTime(60_000)
  expect(onAnswer).not.toHaveBeenCalled()
})

test('a scanner that stands still within a barcode does not answer, before the figure or after it', () => {
  down('3', 500)
  up('3', 4)
  down('1', 290)
  // Even where the release came late.
  up('1', 200)
  vi.advanceTimersByTime(60_000)
  expect(onAnswer).not.toHaveBeenCalled()
})

test('a release that a bus kept back is followed by figures, and does not answer', () => {
  down('1', 500)
  up('1', 400)
  vi.advanceTimersByTime(30)
  // The capture took the press of the next figure.
  up('2', 30)
  vi.advanceTimersByTime(60_000)
  expect(onAnswer).not.toHaveBeenCalled()
})

test('two figures by hand are typing', () => {
  down('1', 500)
  up('1', 70)
  vi.advanceTimersByTime(100)
  down('2', 100)
  up('2', 70)
  vi.advanceTimersByTime(60_000)
  expect(onAnswer).not.toHaveBeenCalled()
})

test('the same figure twice is typing, also when keys overlap', () => {
  down('1', 500)
  down('1', 60)
  up('1', 60)
  vi.advanceTimersByTime(60_000)
  expect(onAnswer).not.toHaveBeenCalled()
})

test('a key held until it repeats answers once, when it is let go', () => {
  down('1', 500)
  for (let at = 0; at < 9; at += 1) down('1', 33, { repeat: true })
  vi.advanceTimersByTime(60_000)
  expect(onAnswer).not.toHaveBeenCalled()
  up('1', 33)
  vi.advanceTimersByTime(99)
  expect(onAnswer).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith('1')
})

test('where Shift makes the figure it may be let go first', () => {
  down('1', 500, { shiftKey: true })
  up('Shift', 60, { code: 'ShiftLeft' })
  up('&', 10, { code: 'Digit1' })
  vi.advanceTimersByTime(300)
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith('1')
})

test('silence of a page that stood still is none', () => {
  down('1', 500)
  up('1', 80)
  // The page stands still: its clock goes on, its timer comes late, and keys wait behind it.
  const late = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1000)
  vi.advanceTimersByTime(220)
  late.mockRestore()
  expect(onAnswer).not.toHaveBeenCalled()
  down('2', 5)
  vi.advanceTimersByTime(60_000)
  expect(onAnswer).not.toHaveBeenCalled()
})

test('a figure whose release never comes answers nothing', () => {
  down('1', 500)
  vi.advanceTimersByTime(60_000)
  held.drop()
  up('1', 5000)
  vi.advanceTimersByTime(60_000)
  expect(onAnswer).not.toHaveBeenCalled()
})
