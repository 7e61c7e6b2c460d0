import { beforeEach, expect, test, vi } from 'vitest'
import { ScanCapture } from './capture'

const onScan = vi.fn()
let capture: ScanCapture
let now = 0

beforeEach(() => {
  document.body.replaceChildren()
  onScan.mockClear()
  capture = new ScanCapture({ onScan, isScanField: (element) => element?.id === 'scan' })
  now += 10_000
})

/** Presses a key and, as a browser does, types it where focus is unless that was prevented. */
function press(key: string, gap: number, more: KeyboardEventInit = {}) {
  now += gap
  const event = new KeyboardEvent('keydown', { key, cancelable: true, bubbles: true, ...more })
  Object.defineProperty(event, 'timeStamp', { value: now })
  capture.key(event)
  const field = document.activeElement
  if (!event.defaultPrevented && field instanceof HTMLInputElement && key.length === 1)
    field.value += key
  return event
}
const burst = (text: string, end = 'Enter', gap = 5) => {
  const [first, ...rest] = [...text]
  press(first ?? '', 500)
  for (const key of rest) press(key, gap)
  return press(end, gap)
}
function focused(value = '') {
  const field = document.createElement('input')
  document.body.append(field)
  field.value = value
  field.focus()
  return field
}

test('a burst is a scan, its Enter reaches nothing', () => {
  const end = burst('34100008817719')
  expect(onScan).toHaveBeenCalledExactlyOnceWith('34100008817719')
  expect(end.defaultPrevented).toBe(true)
})

test('a burst ended by Tab is a scan', () => {
  burst('3410', 'Tab')
  expect(onScan).toHaveBeenCalledWith('3410')
})

test('typing by hand is no scan and stays in its field', () => {
  const field = focused()
  burst('3410', 'Enter', 80)
  expect(onScan).not.toHaveBeenCalled()
  expect(field.value).toBe('3410')
})

test('a burst leaves a half typed comment as it was', () => {
  const field = focused('School pro')
  burst('34100008817719')
  expect(field.value).toBe('School pro')
  expect(onScan).toHaveBeenCalledWith('34100008817719')
})

test('two bursts, one after the other, are two scans', () => {
  burst('11111')
  burst('22222')
  expect(onScan.mock.calls.flat()).toEqual(['11111', '22222'])
})

test('Enter long after the figures is not a scanner, and the figures are given back', () => {
  vi.useFakeTimers()
  const field = focused('a')
  press('1', 500)
  for (const key of '2345') press(key, 5)
  expect(field.value).toBe('a')
  vi.advanceTimersByTime(400)
  expect(field.value).toBe('a12345')
  press('Enter', 900)
  expect(onScan).not.toHaveBeenCalled()
  vi.useRealTimers()
})

test('a burst that stutters is whole', () => {
  press('3', 500)
  press('4', 120)
  for (const key of '100008') press(key, 5)
  press('8', 200)
  for (const key of '17719') press(key, 5)
  press('Enter', 90)
  expect(onScan.mock.calls.flat()).toEqual(['34100008817719'])
})

test('keys that a busy page hears late belong to their run', () => {
  vi.useFakeTimers()
  const field = focused('a')
  press('1', 500)
  for (const key of '2345') press(key, 5)
  // The page was busy: its timer ran before the rest of the keys came, whose own times are close.
  vi.advanceTimersByTime(400)
  expect(field.value).toBe('a12345')
  for (const key of '6789') press(key, 5)
  press('Enter', 5)
  expect(onScan.mock.calls.flat()).toEqual(['123456789'])
  expect(field.value).toBe('a')
  vi.useRealTimers()
})

test('a burst in the scan field is a scan with what stood there, once, and the field is empty', () => {
  vi.useFakeTimers()
  const field = focused('34')
  field.id = 'scan'
  const end = burst('100008817719')
  expect(end.defaultPrevented).toBe(true)
  expect(field.value).toBe('')
  vi.advanceTimersByTime(400)
  expect(field.value).toBe('')
  expect(onScan.mock.calls.flat()).toEqual(['34100008817719'])
  vi.useRealTimers()
})

test('Enter some time after a burst is left to the scan field, which has all figures by then', () => {
  vi.useFakeTimers()
  const field = focused()
  field.id = 'scan'
  press('3', 500)
  for (const key of '4100') press(key, 5)
  vi.advanceTimersByTime(60)
  expect(press('Enter', 400).defaultPrevented).toBe(false)
  expect(field.value).toBe('34100')
  expect(onScan).not.toHaveBeenCalled()
  vi.useRealTimers()
})

test('the scan field gets quick figures together, where the caret stands, before anything else comes', () => {
  vi.useFakeTimers()
  const field = focused('ab')
  field.id = 'scan'
  expect(press('1', 500).defaultPrevented).toBe(false)
  // The first one was typed by the browser, here at the end.
  field.setSelectionRange(1, 1)
  for (const key of '2345') expect(press(key, 5).defaultPrevented).toBe(true)
  expect(field.value).toBe('ab1')
  press('ArrowLeft', 5)
  expect(field.value).toBe('a2345b1')
  for (const key of '6789') press(key, 5)
  vi.advanceTimersByTime(60)
  expect(field.value).toContain('9')
  expect([...field.value].toSorted().join('')).toBe('123456789ab')
  vi.useRealTimers()
})

test('of keys that were taken nothing else hears, not even that they are let go', () => {
  const field = focused()
  field.id = 'scan'
  const heard: string[] = []
  document.body.addEventListener('keyup', ({ code }) => void heard.push(code))
  window.addEventListener('keyup', capture.release, true)
  const tap = (code: string, gap: number) => {
    press(code.at(-1) ?? '', gap, { code })
    field.dispatchEvent(new KeyboardEvent('keyup', { code, bubbles: true }))
  }
  tap('Digit1', 500)
  tap('Digit2', 5)
  tap('Digit3', 500)
  window.removeEventListener('keyup', capture.release, true)
  expect(heard).toEqual(['Digit1', 'Digit3'])
})

test('a slow hand in the scan field is not held up', () => {
  const field = focused()
  field.id = 'scan'
  for (const key of '12345') expect(press(key, 40).defaultPrevented).toBe(false)
  expect(field.value).toBe('12345')
})

test('a key that is held down is no scanner', () => {
  press('a', 500)
  for (let at = 0; at < 9; at += 1) press('a', 30, { repeat: true })
  press('Enter', 10)
  expect(onScan).not.toHaveBeenCalled()
})

test('capitals come with Shift between them', () => {
  press('A', 500)
  press('Shift', 3)
  press('B', 3)
  press('C', 3)
  press('1', 3)
  press('Enter', 3)
  expect(onScan).toHaveBeenCalledWith('ABC1')
})

test('shortcuts are left alone', () => {
  expect(press('e', 1, { altKey: true }).defaultPrevented).toBe(false)
})
