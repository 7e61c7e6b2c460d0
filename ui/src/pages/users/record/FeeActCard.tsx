// Paying, waiving, transferring, refunding, cancelling: the amount (all of it at first), the method or reason, a comment.
// The server decides; what it refuses stands here, and what was typed stays.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSelf } from '#/api/self'
import { announce } from '#/app/live'
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useDesk } from '#/lib/desk'
import { useFormats } from '#/lib/format'
import { actOnFees, amountOf, hundredths, refundable, sumOf } from '#/patrons/fees/acts'
import { actionsOfQuery, methodsQuery } from '#/patrons/fees/queries'
import type { Account, FeeAct, FeeAction } from '#/patrons/fees/types'
import { Checkbox } from '#/ui/Checkbox'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { Fields } from '#/ui/Fields'
import { Select } from '#/ui/Select'
import { TextField } from '#/ui/TextField'

interface Props {
  act: FeeAct
  accounts: readonly Account[]
  /** With what was done, in words and for the receipt. */
  onDone: (said: string, actions: readonly FeeAction[]) => void
  onClose: () => void
}

export function FeeActCard({ act, accounts, onDone, onClose }: Props) {
  const t = useText()
  const formats = useFormats()
  const desk = useDesk()
  const { user } = useSelf()
  const doing = useAct()
  const { data: actions } = useQuery({
    ...actionsOfQuery(accounts.map((one) => one.id)),
    enabled: act === 'refund',
  })
  const most = act === 'refund' ? refundable(actions ?? []) : sumOf(accounts, 'remaining')
  // All of it, until somebody types.
  const [own, setTyped] = useState<string>()
  const typed = own ?? most.toFixed(2)
  const [chosen, setChosen] = useState<string>()
  const [comments, setComments] = useState('')
  const [info, setInfo] = useState('')
  const [notifyPatron, setNotify] = useState(false)
  const [tried, setTried] = useState(false)
  const owners = new Set(accounts.map((one) => one.ownerId))
  const ownerId = owners.size === 1 ? accounts[0]?.ownerId : undefined
  const { data: methods } = useQuery(methodsQuery(act, ownerId))
  const method = chosen ?? (methods?.length === 1 ? methods[0] : undefined)
  const amount = amountOf(typed)
  const tooMuch = amount !== undefined && hundredths(Number(amount)) > hundredths(most)
  const amountFault = !amount
    ? t('fees.typeAmount')
    : tooMuch
      ? t('fees.tooMuch', { amount: formats.money(most) })
      : undefined
  const needsMethod = act !== 'cancel'
  const needsComment = act === 'cancel' && accounts.length > 1
  const go = async () => {
    setTried(true)
    if (act !== 'cancel' && amountFault) return
    if ((needsMethod && !method) || (needsComment && !comments.trim())) return
    let actions: readonly FeeAction[] = []
    const done = await doing.run(async () => {
      actions = await actOnFees(act, accounts, {
        amount: amount ?? '',
        method: method ?? '',
        comments: comments.trim(),
        transactionInfo: info.trim(),
        notifyPatron,
        servicePointId: desk?.id ?? '',
        userName: user.username ?? user.personal?.lastName ?? user.id,
      })
    })
    if (!done) return
    const said = t(`fees.done.${act}`, { amount: formats.money(Number(amount ?? most)) })
    announce(said)
    onDone(said, actions)
  }
  const shown = amount && !tooMuch ? formats.money(Number(amount)) : formats.money(most)
  return (
    <ConfirmCard
      title={t(`fees.ask.${act}`, { count: accounts.length })}
      text={accounts.length > 1 ? t('fees.spread') : <bdi>{accounts[0]?.feeFineType}</bdi>}
      act={t(`fees.do.${act}`, { amount: shown, count: accounts.length })}
      danger={act === 'cancel'}
      busy={doing.busy}
      disabled={desk ? undefined : t('shell.chooseFirst')}
      onAct={() => void go()}
      onClose={onClose}
    >
      <NotDone failure={doing.failure} />
      <Fields wide>
        {act === 'cancel' ? null : (
          <TextField
            label={t('fees.amount')}
            value={typed}
            onChange={setTyped}
            inputMode="decimal"
            help={t('fees.ofAmount', { amount: formats.money(most) })}
            error={tried ? amountFault : undefined}
          />
        )}
        {needsMethod ? (
          <Select
            label={t(`fees.method.${act}`)}
            value={method}
            choices={(methods ?? []).map((one) => ({ value: one, text: one }))}
            onChange={setChosen}
            placeholder={t('fees.choose')}
            help={
              methods?.length === 0
                ? t('fees.noMethods')
                : tried && !method
                  ? t('fees.chooseOne')
                  : undefined
            }
          />
        ) : null}
        {act === 'pay' ? (
          <TextField
            label={t('fees.transaction')}
            mark="optional"
            value={info}
            onChange={setInfo}
          />
        ) : null}
        <TextField
          label={t('fees.comment')}
          mark={needsComment ? 'needed' : 'optional'}
          value={comments}
          onChange={setComments}
          error={tried && needsComment && !comments.trim() ? t('fees.typeComment') : undefined}
        />
      </Fields>
      <Checkbox checked={notifyPatron} onChange={setNotify}>
        {t('fees.notify')}
      </Checkbox>
    </ConfirmCard>
  )
}
