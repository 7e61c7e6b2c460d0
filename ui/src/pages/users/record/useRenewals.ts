// Renews one loan after the other: what became of each stands in its row, also when a later one fails.
import { useState } from 'react'
import { announce } from '#/app/live'
import { useText } from '#/i18n/text'
import { useDesk } from '#/lib/desk'
import { useFormats } from '#/lib/format'
import { type Override, refusedOf, renew } from '#/patrons/loans/acts'
import type { PatronLoan, Result } from '#/patrons/loans/types'
import type { Patron } from '#/patrons/types'

export function useRenewals(user: Patron) {
  const t = useText()
  const formats = useFormats()
  const desk = useDesk()
  const [results, setResults] = useState<Readonly<Record<string, Result>>>({})
  const [busy, setBusy] = useState(false)
  const one = async (loan: PatronLoan, override?: Override): Promise<Result> => {
    try {
      const renewed = await renew(loan, user.barcode, desk?.id, override)
      return { kind: 'ok', text: t('loans.renewedTo', { date: formats.dayTime(renewed.dueDate) }) }
    } catch (error) {
      const refused = refusedOf(error)
      const text = [...refused.reasons.map((id) => t(id)), refused.detail].filter(Boolean).join(' ')
      return { kind: 'refused', text, blocks: refused.blocks, missing: refused.missing }
    }
  }
  /** Those that were refused. */
  const renewMany = async (loans: readonly PatronLoan[], override?: Override) => {
    if (busy) return []
    setBusy(true)
    const refused: PatronLoan[] = []
    for (const loan of loans) {
      const result = await one(loan, override)
      setResults((before) => ({ ...before, [loan.id]: result }))
      if (result.kind === 'refused') refused.push(loan)
    }
    const done = loans.length - refused.length
    announce(t('loans.renewedCount', { done, refused: refused.length }), refused.length > 0)
    setBusy(false)
    return refused
  }
  return { results, busy, renew: renewMany, formats }
}
