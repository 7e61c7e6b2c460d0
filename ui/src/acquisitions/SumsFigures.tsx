// What is asked about a budget, ledger or group first, large: what is left, and where the rest is. The arithmetic follows.
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Figures } from '#/ui/Figures'
import { useMoney } from './money'
import type { Sums } from './types'

const PLACES = ['allocated', 'encumbered', 'awaitingPayment', 'expenditures'] as const

export function SumsFigures({ sums, currency }: { sums: Sums; currency?: string }) {
  const t = useText()
  const money = useMoney()
  const { number } = useFormats()
  const { available = 0, totalFunding = 0 } = sums
  const part = totalFunding > 0 ? Math.floor((available / totalFunding) * 100) : undefined
  return (
    <Figures
      figures={[
        {
          label: t('acq.sum.available'),
          value: money(available, currency),
          remark: part === undefined ? undefined : t('acq.ofFunding', { value: number(part) }),
        },
        ...PLACES.map((name) => ({
          label: t(`acq.sum.${name}`),
          value: money(sums[name] ?? 0, currency),
        })),
      ]}
    />
  )
}
