import { expect, test } from 'vitest'
import { dataAddress, faultOf, isShown, storedId } from './pictures'

const file = (bytes: number, type = 'image/png') => new File([new Uint8Array(bytes)], 'x', { type })

test('files of other kinds and above the limit of the library are not sent', () => {
  expect(faultOf(file(100), { enabled: true, maxFileSize: 1 })).toBeUndefined()
  expect(faultOf(file(600_000), { enabled: true, maxFileSize: 0.5 })).toBe('size')
  expect(faultOf(file(0), { enabled: true })).toBe('size')
  expect(faultOf(file(100, 'image/svg+xml'), { enabled: true, maxFileSize: 1 })).toBe('kind')
})

test('a link is the id of a stored picture or an address by https', () => {
  expect(storedId('7b1f7a2c-3f52-40fa-9f83-63e6f180f39e')).toBeDefined()
  expect(storedId('https://example.org/7b1f7a2c-3f52-40fa-9f83-63e6f180f39e')).toBeUndefined()
  expect(isShown('https://example.org/a.jpg')).toBe(true)
  for (const other of ['http://example.org/a.jpg', 'javascript:alert(1)', 'data:image/png,x', ''])
    expect(isShown(other)).toBe(false)
})

test('only what begins like a picture is shown as one', () => {
  expect(dataAddress('iVBORw0KGgoAAAA')).toBe('data:image/png;base64,iVBORw0KGgoAAAA')
  expect(dataAddress('/9j/4AAQ')).toBe('data:image/jpeg;base64,/9j/4AAQ')
  expect(dataAddress(btoa('<svg onload="alert(1)">'))).toBeUndefined()
})
