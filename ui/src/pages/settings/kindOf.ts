import { CATALOGUE } from '#/settings/catalogue'
import { CIRCULATION } from '#/settings/circulation'
import type { Kind } from '#/settings/kinds'

export const KINDS: readonly Kind[] = [...CIRCULATION, ...CATALOGUE]

export const kindOf = (id: string | undefined): Kind | undefined =>
  KINDS.find((kind) => kind.id === id)
