// Pieces received, taken back, checked in with a barcode. The routes answer 200 also where a piece was refused: what
// stands in their results is a refusal like any other.
import { get, post, put, remove } from '#/api/client'
import { ApiFailure } from '#/api/errors'
import { same } from '#/forms/differences'
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

/** Claims and the like are forgotten: the pieces are expected again. */
async function expectAgain(pieces: readonly Piece[]) {
  const lines = Map.groupBy(pieces, (one) => one.poLineId)
  const results = await post<Results>('/orders/expect', {
    toBeExpected: [...lines].map(([poLineId, some]) => ({
      poLineId,
      expected: some.length,
      expectPieces: some.map(({ id, comment }) => ({ id, ...(comment && { comment }) })),
    })),
    totalRecords: lines.size,
  })
  await finish(results)
}

export interface NewStatus {
  receivingStatus: string
  claimingInterval?: number
}

export async function setStatus(pieces: readonly Piece[], status: NewStatus) {
  if (status.receivingStatus === 'Expected') return await expectAgain(pieces)
  await put('/orders/pieces-batch/status', { pieceIds: pieces.map(({ id }) => id), ...status })
  await changed()
}

/** Replaces a piece, unless somebody else has changed it since it was read: FOLIO's pieces have no versions. */
export async function changePiece(before: Piece, next: Piece, query: string) {
  const path = `/orders/pieces/${before.id}`
  if (!same(await get<Piece>(path), before)) throw new ApiFailure({ kind: 'conflict', text: '' })
  await put(`${path}${query}`, next)
  await changed()
}

export async function deletePiece({ id }: Piece, deleteHolding: boolean) {
  await remove(`/orders/pieces/${id}${deleteHolding ? '?deleteHolding=true' : ''}`)
  await changed()
}

export interface Claim {
  claimingInterval: number
  internalNote?: string
  externalNote?: string
}

export async function claim(pieces: readonly Piece[], about: Claim) {
  await post('/pieces/claim', { claimingPieceIds: pieces.map(({ id }) => id), ...about })
  await changed()
}

export interface BindItem {
  barcode?: string
  callNumber?: string
  materialTypeId?: string
  permanentLoanTypeId?: string
  locationId?: string
  holdingId?: string
}

export async function bind(pieces: readonly Piece[], bindItem: BindItem, requestsAction?: string) {
  await post('/orders/bind-pieces', {
    poLineId: pieces[0]?.poLineId,
    bindPieceIds: pieces.map(({ id }) => id),
    bindItem,
    ...(requestsAction && { requestsAction }),
  })
  await changed()
}

export async function unbind({ id }: Piece) {
  await remove(`/orders/bind-pieces/${id}`)
  await changed()
}

async function finish(results: Results) {
  // Some may have been received although others were not.
  await changed()
  const refused = refusalsOf(results)
  if (refused) throw refused
}

const EXPECTED = new Set(['Expected', 'Late', 'Claim delayed', 'Claim sent'])
/** What is bound, or can be: the server asks for one of these. */
export const isHere = ({ receivingStatus }: Piece) =>
  receivingStatus === 'Received' || receivingStatus === 'Unreceivable'
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
