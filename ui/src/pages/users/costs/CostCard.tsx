// Bills the cost of a lost item, or lets it go; with what staff and patron are told.
import { useState } from 'react'
import { announce } from '#/app/live'
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useDesk } from '#/lib/desk'
import { useFormats } from '#/lib/format'
import { fullName } from '#/lib/names'
import { bill, type Cost, letGo } from '#/patrons/costs/costs'
import { amountOf } from '#/patrons/fees/acts'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { Fields } from '#/ui/Fields'
import { TextField } from '#/ui/TextField'

interface Props {
  act: 'bill' | 'letGo'
  cost: Cost
  onDone: (said: string) => void
  onClose: () => void
}

export function CostCard({ act, cost, onDone, onClose }: Props) {
  const t = useText()
  const formats = useFormats()
  const desk = useDesk()
  const doing = useAct()
  const [typed, setTyped] = useState('')
  const [forStaff, setForStaff] = useState('')
  const [forPatron, setForPatron] = useState('')
  const [tried, setTried] = useState(false)
  const amount = amountOf(typed)
  const bills = act === 'bill'
  const go = async () => {
    setTried(true)
    if (bills && !amount) return
    const info = { forStaff: forStaff.trim(), forPatron: forPatron.trim() }
    const done = await doing.run(() =>
      bills ? bill(cost, amount ?? '', desk?.id ?? '', info) : letGo(cost, info),
    )
    if (!done) return
    const said = bills
      ? t('fees.done.bill', { amount: formats.money(Number(amount)) })
      : t('fees.done.letGo')
    announce(said)
    onDone(said)
  }
  return (
    <ConfirmCard
      title={bills ? t('fees.ask.bill') : t('fees.ask.letGo')}
      text={
        <>
          <bdi>{cost.instance.title}</bdi> · <bdi>{fullName(cost.user)}</bdi> · {cost.feeFine.owner}
        </>
      }
      act={
        bills
          ? t('fees.do.bill', { amount: amount ? formats.money(Number(amount)) : '' })
          : t('fees.letGo')
      }
      danger={!bills}
      busy={doing.busy}
      disabled={desk ? undefined : t('shell.chooseFirst')}
      onAct={() => void go()}
      onClose={onClose}
    >
      <NotDone failure={doing.failure} />
      <Fields wide>
        {bills ? (
          <TextField
            label={t('fees.amount')}
            value={typed}
            onChange={setTyped}
            inputMode="decimal"
            error={tried && !amount ? t('fees.typeAmount') : undefined}
          />
        ) : null}
        <TextField
          label={t('loans.forStaff')}
          mark="optional"
          value={forStaff}
          onChange={setForStaff}
        />
        <TextField
          label={t('loans.forPatron')}
          mark="optional"
          value={forPatron}
          onChange={setForPatron}
        />
      </Fields>
    </ConfirmCard>
  )
}
