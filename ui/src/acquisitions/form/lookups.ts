// Records that forms of acquisitions look up by words: people, titles of the catalogue, packages.
import { get } from '#/api/client'
import { all, equals } from '#/api/cql'
import type { User } from '#/api/types'
import type { LookupOf } from '#/inventory/form/specs'
import { fullName } from '#/lib/names'
import { findPeople } from '#/patrons/queries'
import { LINES } from '../orders'
import { prefix } from '../queries'
import type { OrderLine } from '../types'

const nameOfUser = ({ id, personal, username }: User) =>
  fullName(personal ?? {}) || (username ?? id)

export const userLookup: LookupOf = {
  list: 'people',
  search: async (words, signal) =>
    (await findPeople(words, signal)).map((user) => ({
      id: user.id,
      text: nameOfUser(user),
      detail: user.barcode ?? user.username,
    })),
  nameOf: async (id, signal) => nameOfUser(await get<User>(`/users/${id}`, undefined, signal)),
}

const nameOfLine = async (id: string, signal: AbortSignal) =>
  (await get<OrderLine>(`${LINES}/${id}`, undefined, signal)).titleOrPackage

export { titleLookup as instanceLookup } from '#/inventory/form/related'

/** The lines of open orders, but for one: pieces move between them. */
export const lineLookup = (but: string): LookupOf => ({
  list: 'acq-lines',
  search: async (words, signal) => {
    const open = equals('purchaseOrder.workflowStatus', 'Open')
    const begins = words && prefix(words)
    const cql = all(
      open,
      begins ? `(titleOrPackage=${begins} or poLineNumber==${begins})` : undefined,
    )
    const { poLines } = await get<{ poLines: OrderLine[] }>(
      LINES,
      { query: `${cql} sortby titleOrPackage`, limit: 20 },
      signal,
    )
    return poLines
      .filter(({ id }) => id !== but)
      .map(({ id, titleOrPackage, poLineNumber }) => ({
        id,
        text: titleOrPackage,
        detail: poLineNumber,
      }))
  },
  nameOf: nameOfLine,
})

/** The lines that are packages: others belong to them. */
export const packageLookup: LookupOf = {
  list: 'acq-packages',
  search: async (words, signal) => {
    const cql = all(
      equals('isPackage', 'true'),
      words ? `titleOrPackage=${prefix(words)}` : undefined,
    )
    const { poLines } = await get<{ poLines: OrderLine[] }>(
      LINES,
      { query: `${cql} sortby titleOrPackage`, limit: 20 },
      signal,
    )
    return poLines.map(({ id, titleOrPackage, poLineNumber }) => ({
      id,
      text: titleOrPackage,
      detail: poLineNumber,
    }))
  },
  nameOf: nameOfLine,
}
