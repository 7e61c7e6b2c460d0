// Pieces received, taken back, checked in with a barcode. The routes answer 200 also where a piece was refused: what
// stands in their results is a refusal like any other.
import { post } from '#/api/client'
import { ApiFailure } from '#/api/errors'
import { changed } from './queries'
import type { Piece } from './types'

interface Results {
  receivingResults: {
    receivingItemResults?: {
      pieceId?: string
      processingStatus?: {
        type?: string
        error?: { message?: string; code?: string; parameters?: { key: string; value?: string }[] }
      }
    }[]
  }[]
}

/** The refusals of single pieces as one failure; nothing where all went well. */
export function refusalsOf({ receivingResults }: Results): ApiFailure | undefined {
  const errors = receivingResults
    .flatMap((one) => one.receivingItemResults ?? [])
    .flatMap(({ processingStatus: status }) =>
      status?.error || status?.type === 'failure'
        ? [
            {
              message: status.error?.message ?? '',
              code: status.error?.code,
              parameters: status.error?.parameters ?? [],
            },
          ]
        : [],
    )
  return errors.length ? new ApiFailure({ kind: 'refused', status: 200, errors }) : undefined
}

/** What a piece keeps: these routes overwrite with what the body has, also with nothing. */
const kept = ({ displaySummary, comment, enumeration, chronology, copyNumber }: Piece) => ({
  ...(displaySummary && { displaySummary }),
  ...(comment && { comment }),
  ...(enumeration && { enumeration }),
  ...(chronology && { chronology }),
  ...(copyNumber && { copyNumber }),
})

async function receiveAs(pieces: readonly Piece[], itemStatus: string) {
  const lines = Map.groupBy(pieces, (one) => one.poLineId)
  const results = await post<Results>('/orders/receive', {
    toBeReceived: [...lines].map(([poLineId, some]) => ({
      poLineId,
      received: some.length,
      receivedItems: some.map((piece) => ({ pieceId: piece.id, itemStatus, ...kept(piece) })),
    })),
    totalRecords: lines.size,
  })
  await finish(results)
}

export const receive = (pieces: readonly Piece[]) => receiveAs(pieces, 'In process')
export const unreceive = (pieces: readonly Piece[]) => receiveAs(pieces, 'On order')

export async function checkIn(piece: Piece, barcode: string) {
  const { id, poLineId } = piece
  const results = await post<Results>('/orders/check-in', {
    toBeCheckedIn: [
      {
        poLineId,
        checkedIn: 1,
        checkInPieces: [{ id, barcode, itemStatus: 'In process', ...kept(piece) }],
      },
    ],
    totalRecords: 1,
  })
  await finish(results)
}

async function finish(results: Results) {
  // Some may have been received although others were not.
  await changed()
  const refused = refusalsOf(results)
  if (refused) throw refused
}

const EXPECTED = new Set(['Expected', 'Late', 'Claim delayed', 'Claim sent'])
export const isExpected = ({ receivingStatus }: Piece) => EXPECTED.has(receivingStatus)

/** As they are received: expected ones first, by what stands on them. */
export const inOrder = (pieces: readonly Piece[]): Piece[] =>
  pieces.toSorted(
    (a, b) =>
      Number(isExpected(b)) - Number(isExpected(a)) ||
      (a.receiptDate ?? '').localeCompare(b.receiptDate ?? '') ||
      (a.displaySummary ?? '').localeCompare(b.displaySummary ?? '', undefined, {
        numeric: true,
      }) ||
      a.id.localeCompare(b.id),
  )
