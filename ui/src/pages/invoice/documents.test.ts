import { expect, test } from 'vitest'
import { fromBase64, toBase64 } from './documents'

test('every byte comes back, also of files longer than one piece', () => {
  const bytes = Uint8Array.from({ length: 100_003 }, (_, at) => (at * 7) % 256)
  // Not compared as lists: a matcher takes seconds for so many numbers.
  const back = fromBase64(toBase64(bytes))
  expect(back.length).toBe(bytes.length)
  expect(back.every((byte, at) => byte === bytes[at])).toBe(true)
  expect(toBase64(new Uint8Array())).toBe('')
  expect(toBase64(new TextEncoder().encode('Hello'))).toBe('SGVsbG8=')
})
