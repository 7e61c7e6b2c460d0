// Records that forms of acquisitions look up by words: people, titles of the catalogue, packages.
import { get } from '#/api/client'
import { all, equals } from '#/api/cql'
import type { User } from '#/api/types'
import type { LookupOf } from '#/inventory/form/specs'
import { fullName } from '#/lib/names'
import { findPeople } from '#/patrons/queries'
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

export { titleLookup as instanceLookup } from '#/inventory/form/related'

/** The lines that are packages: others belong to them. */
export const packageLookup: LookupOf = {
  list: 'acq-packages',
  search: async (words, signal) => {
    const cql = all(
      equals('isPackage', 'true'),
      words ? `titleOrPackage=${prefix(words)}` : undefined,
    )
    const { poLines } = await get<{ poLines: OrderLine[] }>(
      '/orders/order-lines',
      { query: `${cql} sortby titleOrPackage`, limit: 20 },
      signal,
    )
    return poLines.map(({ id, titleOrPackage, poLineNumber }) => ({
      id,
      text: titleOrPackage,
      detail: poLineNumber,
    }))
  },
  nameOf: async (id, signal) =>
    (await get<OrderLine>(`/orders/order-lines/${id}`, undefined, signal)).titleOrPackage,
}
