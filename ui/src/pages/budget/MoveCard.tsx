// More or less for a budget, an allocation moved to another fund, or money lent to one by transfer.
import { useState } from 'react'
import { useMoney } from '#/acquisitions/money'
import { changed, loadFunds } from '#/acquisitions/queries'
import { Refused } from '#/acquisitions/Refused'
import type { Budget, Fund } from '#/acquisitions/types'
import { post } from '#/api/client'
import { useLocale } from '#/api/locale'
import { announce } from '#/app/live'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { figureOf } from '#/inventory/form/specs'
import { useNeeds } from '#/lib/permissions'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { Fields } from '#/ui/Fields'
import { Lookup, type Option } from '#/ui/Lookup'
import { Select } from '#/ui/Select'
import { TextField } from '#/ui/TextField'

const KINDS = ['increase', 'decrease', 'moveAllocation', 'transfer'] as const
type Kind = (typeof KINDS)[number]

interface Props {
  budget: Budget
  currency: string | undefined
  onDone: () => void
  onClose: () => void
}

export function MoveCard({ budget, currency, onDone, onClose }: Props) {
  const t = useText()
  const money = useMoney()
  const { currency: own } = useLocale()
  const mayTransfer = useNeeds('finance.transfers.item.post')
  const act = useAct()
  const [kind, setKind] = useState<Kind>('increase')
  const [typed, setTyped] = useState('')
  const [other, setOther] = useState<Option>()
  const [description, setDescription] = useState('')
  const [tried, setTried] = useState(false)
  const figure = figureOf(typed)
  const amount = Number(typeof figure === 'string' ? figure.replace(',', '.') : figure)
  const amountFault = amount > 0 ? undefined : t('acq.typeAmount')
  const needsOther = kind === 'moveAllocation' || kind === 'transfer'
  const otherFault = needsOther && !other ? t('acq.chooseFund') : undefined
  const go = async () => {
    setTried(true)
    if (amountFault || otherFault) return
    const done = await act.run(() =>
      post(kind === 'transfer' ? '/finance/transfers' : '/finance/allocations', {
        transactionType: kind === 'transfer' ? 'Transfer' : 'Allocation',
        source: 'User',
        amount,
        currency: currency ?? own,
        fiscalYearId: budget.fiscalYearId,
        ...(kind === 'increase' ? {} : { fromFundId: budget.fundId }),
        ...(kind === 'increase' ? { toFundId: budget.fundId } : {}),
        ...(needsOther ? { toFundId: other?.id } : {}),
        ...(description.trim() ? { description: description.trim() } : {}),
      }),
    )
    if (!done) return
    announce(t('acq.moved', { amount: money(amount, currency) }))
    await changed()
    onDone()
  }
  return (
    <ConfirmCard
      title={t('acq.moveMoney')}
      text={<bdi>{budget.name}</bdi>}
      act={t('acq.post')}
      busy={act.busy}
      disabled={kind === 'transfer' ? mayTransfer.reason : undefined}
      onAct={() => void go()}
      onClose={onClose}
    >
      <Refused failure={act.failure} />
      <Fields wide>
        <TextField
          label={t('acq.amount')}
          value={typed}
          inputMode="decimal"
          onChange={setTyped}
          error={tried ? amountFault : undefined}
          help={currency}
        />
        <Select
          label={t('acq.what')}
          value={kind}
          choices={KINDS.map((value) => ({ value, text: t(`acq.move.${value}`) }))}
          onChange={setKind}
        />
        {needsOther ? (
          <Lookup
            label={t('acq.toFund')}
            list="acq-funds"
            value={other}
            onChange={setOther}
            search={(words) => findFunds(words, budget.fundId)}
            error={tried ? otherFault : undefined}
          />
        ) : null}
        <TextField
          label={t('acq.description')}
          mark="optional"
          value={description}
          onChange={setDescription}
        />
      </Fields>
    </ConfirmCard>
  )
}

async function findFunds(words: string, not: string): Promise<Option[]> {
  const [funds] = await loadFunds()
  const wanted = words.toLocaleLowerCase()
  return funds
    .filter((one: Fund) => one.id !== not)
    .filter(({ code, name }) => `${code} ${name}`.toLocaleLowerCase().includes(wanted))
    .slice(0, 20)
    .map(({ id, code, name }) => ({ id, text: code, detail: name }))
}
