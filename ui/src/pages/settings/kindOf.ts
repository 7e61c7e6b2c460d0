import { CATALOGUE } from '#/settings/catalogue'
import { CIRCULATION } from '#/settings/circulation'
import { FEES } from '#/settings/fees'
import { FINANCE } from '#/settings/finance'
import { IMPORTS } from '#/settings/imports/kinds'
import type { Kind } from '#/settings/kinds'

export const KINDS: readonly Kind[] = [
  ...CIRCULATION,
  ...FEES,
  ...CATALOGUE,
  ...FINANCE,
  ...IMPORTS,
]

export const kindOf = (id: string | undefined): Kind | undefined =>
  KINDS.find((kind) => kind.id === id)
