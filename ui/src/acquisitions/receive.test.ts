import { expect, test } from 'vitest'
import { inOrder, refusalsOf } from './receive'
import type { Piece } from './types'

test('a piece that was refused within an answer of 200 is a refusal with its code', () => {
  const ok = { pieceId: 'a', processingStatus: { type: 'success' } }
  expect(refusalsOf({ receivingResults: [{ receivingItemResults: [ok] }] })).toBeUndefined()
  const error = { message: 'Taken', code: 'barcodeIsNotUnique', parameters: [] }
  const bad = { pieceId: 'b', processingStatus: { type: 'failure', error } }
  expect(refusalsOf({ receivingResults: [{ receivingItemResults: [ok, bad] }] })?.failure).toEqual({
    kind: 'refused',
    status: 200,
    errors: [error],
  })
})

test('what is expected comes first, volumes by their numbers', () => {
  const piece = (id: string, receivingStatus: string, displaySummary: string) =>
    ({ id, receivingStatus, displaySummary }) as Piece
  const sorted = inOrder([
    piece('1', 'Received', 'v. 1'),
    piece('2', 'Expected', 'v. 10'),
    piece('3', 'Late', 'v. 9'),
  ])
  expect(sorted.map(({ id }) => id)).toEqual(['3', '2', '1'])
})
