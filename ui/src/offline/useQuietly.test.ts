import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useQuietly } from './useQuietly'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  document.body.replaceChildren()
})

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms))
const press = () => dispatchEvent(new KeyboardEvent('keydown', { key: '1' }))

test('the page is not exchanged in the middle of a burst', () => {
  const { result, rerender } = renderHook(({ value }) => useQuietly(value), {
    initialProps: { value: false },
  })
  rerender({ value: true })
  for (let at = 0; at < 20; at += 1) {
    press()
    pass(100)
  }
  expect(result.current).toBe(false)
  pass(500)
  expect(result.current).toBe(true)
})

test('nor while something is half typed', () => {
  const main = document.createElement('main')
  const field = document.createElement('input')
  main.append(field)
  document.body.append(main)
  field.value = '3410'
  field.focus()
  const { result, rerender } = renderHook(({ value }) => useQuietly(value), {
    initialProps: { value: false },
  })
  rerender({ value: true })
  pass(5000)
  expect(result.current).toBe(false)
  field.value = ''
  pass(500)
  expect(result.current).toBe(true)
})
