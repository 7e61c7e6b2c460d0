import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { inPause } from './inPause'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const press = () => dispatchEvent(new KeyboardEvent('keydown', { key: '1' }))

it('runs after its time where no key was pressed', () => {
  const run = vi.fn()
  inPause(run, 1000)
  vi.advanceTimersByTime(999)
  expect(run).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(run).toHaveBeenCalledTimes(1)
})

it('waits for hands to rest, and runs once', () => {
  const run = vi.fn()
  inPause(run, 1000)
  for (let turn = 0; turn < 10; turn += 1) {
    press()
    vi.advanceTimersByTime(200)
  }
  expect(run).not.toHaveBeenCalled()
  vi.advanceTimersByTime(10_000)
  expect(run).toHaveBeenCalledTimes(1)
})

it('runs some time although keys never stop', () => {
  const run = vi.fn()
  inPause(run, 1000)
  for (let turn = 0; turn < 60; turn += 1) {
    press()
    vi.advanceTimersByTime(200)
  }
  expect(run).toHaveBeenCalledTimes(1)
})

it('does not run once it was called off', () => {
  const run = vi.fn()
  inPause(run, 1000)()
  vi.advanceTimersByTime(20_000)
  expect(run).not.toHaveBeenCalled()
})
