import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { afterFrame } from './afterFrame'

const run = vi.fn()
let frame: (() => void) | undefined
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('requestAnimationFrame', (shown: () => void) => {
    frame = shown
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  run.mockClear()
})

test('what is asked several times runs once, after the frame and not with it', () => {
  const ask = afterFrame(run)
  ask()
  ask()
  frame?.()
  expect(run).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(run).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1000)
  expect(run).toHaveBeenCalledTimes(1)
})

test('a page that shows no frames runs it all the same, and a frame that comes later not again', () => {
  const ask = afterFrame(run)
  ask()
  vi.advanceTimersByTime(100)
  expect(run).toHaveBeenCalledTimes(1)
  frame?.()
  vi.advanceTimersByTime(1000)
  expect(run).toHaveBeenCalledTimes(1)
})

test('asked again, it runs again', () => {
  const ask = afterFrame(run)
  ask()
  frame?.()
  vi.advanceTimersByTime(1)
  ask()
  frame?.()
  vi.advanceTimersByTime(1)
  expect(run).toHaveBeenCalledTimes(2)
})
