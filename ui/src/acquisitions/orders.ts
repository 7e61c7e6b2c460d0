// Orders and their lines, read and changed. An act reads the order again and sends it whole: FOLIO has no smaller one.
import { get, put } from '#/api/client'
import { changed, equals, ofQuery, recordQuery } from './queries'
import type { Order, OrderLine, Piece, Title } from './types'

export const ORDERS = '/orders/composite-orders'
export const LINES = '/orders/order-lines'

export const orderQuery = (id: string) => recordQuery<Order>(ORDERS, id)
export const lineQuery = (id: string) => recordQuery<OrderLine>(LINES, id)
export const titlesQuery = (lineId: string) =>
  ofQuery<Title>('/orders/titles', 'titles', equals('poLineId', lineId))
export const piecesQuery = (lineId: string) =>
  ofQuery<Piece>('/orders/pieces', 'pieces', equals('poLineId', lineId))

/** Changes an order as it is now. */
export async function changeOrder(id: string, patch: Partial<Order>, query = '') {
  const order = await get<Order>(`${ORDERS}/${id}`)
  await put(`${ORDERS}/${id}${query}`, { ...order, ...patch })
  await changed()
}

export async function changeLine(id: string, patch: Partial<OrderLine>) {
  const line = await get<OrderLine>(`${LINES}/${id}`)
  await put(`${LINES}/${id}`, { ...line, ...patch })
  await changed()
}

/** The number of a line behind its order's: they are listed by it. */
export const numberOf = ({ poLineNumber }: OrderLine): number =>
  Number(poLineNumber?.split('-').at(-1) ?? 0)
