import { BLOCKS } from '#/settings/blocks'
import { CATALOGUE } from '#/settings/catalogue'
import { CIRCULATION } from '#/settings/circulation'
import { ORDER_FIELDS, USER_FIELDS } from '#/settings/customFields'
import { EXPORTS } from '#/settings/exports'
import { FEES } from '#/settings/fees'
import { FINANCE } from '#/settings/finance'
import { IMPORTS } from '#/settings/imports/kinds'
import type { Kind } from '#/settings/kinds'
import { LIBRARY_SETTINGS } from '#/settings/library'
import { ORDERS } from '#/settings/orders'
import { PICTURES } from '#/settings/pictures'

export const KINDS: readonly Kind[] = [
  ...CIRCULATION,
  ...LIBRARY_SETTINGS.filter(({ group }) => group === 'set.groupCirculation'),
  ...BLOCKS,
  ...FEES,
  ...CATALOGUE,
  ...LIBRARY_SETTINGS.filter(({ group }) => group === 'set.groupPlaces'),
  ...USER_FIELDS,
  PICTURES,
  ...ORDERS,
  ...ORDER_FIELDS,
  ...FINANCE,
  ...IMPORTS,
  ...EXPORTS,
]

export const kindOf = (id: string | undefined): Kind | undefined =>
  KINDS.find((kind) => kind.id === id)
