// The field of fund distributions with the library's funds and expense classes.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLoaded } from '#/api/query'
import { useText } from '#/i18n/text'
import type { Spec } from '#/inventory/form/specs'
import { classesQuery, fundsQuery } from '../queries'
import { useChoices } from '../words'
import { distributions } from './fields'

export function useDistributions(name: string): Spec {
  const t = useText()
  const choices = useChoices()
  const funds = useLoaded(fundsQuery)
  const { data: classes } = useQuery(classesQuery)
  return useMemo(
    () =>
      distributions(
        t,
        name,
        funds.map((one) => ({ value: one.id, text: `${one.code} · ${one.name}` })),
        (classes ?? []).map((one) => ({ value: one.id, text: one.name })),
        choices(['percentage', 'amount']),
      ),
    [t, name, funds, classes, choices],
  )
}
