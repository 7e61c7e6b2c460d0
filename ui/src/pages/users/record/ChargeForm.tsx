// A new charge: owner, type, amount, perhaps the item; "and pay" leads on to the payment.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { get } from '#/api/client'
import { equals } from '#/api/cql'
import { useSelf } from '#/api/self'
import type { Item } from '#/api/types'
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useDesk } from '#/lib/desk'
import { amountOf, charge } from '#/patrons/fees/acts'
import { feeTypesQuery, ownersQuery } from '#/patrons/fees/queries'
import type { Account } from '#/patrons/fees/types'
import type { Patron } from '#/patrons/types'
import { Checkbox } from '#/ui/Checkbox'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { Fields } from '#/ui/Fields'
import { Select } from '#/ui/Select'
import { TextField } from '#/ui/TextField'

interface Props {
  user: Patron
  /** With the account that is to be paid at once. */
  onDone: (account: Account | undefined) => void
  onClose: () => void
}

export function ChargeForm({ user, onDone, onClose }: Props) {
  const t = useText()
  const desk = useDesk()
  const self = useSelf()
  const act = useAct()
  const { data: owners } = useQuery(ownersQuery)
  const ofDesk = owners?.find((one) => one.servicePointOwner?.some((at) => at.value === desk?.id))
  const [owner, setOwner] = useState<string>()
  const ownerId = owner ?? ofDesk?.id ?? (owners?.length === 1 ? owners[0]?.id : undefined)
  const { data: types } = useQuery({ ...feeTypesQuery(ownerId ?? ''), enabled: Boolean(ownerId) })
  const [typeId, setTypeId] = useState<string>()
  const [typed, setTyped] = useState('')
  const [barcode, setBarcode] = useState('')
  const [comments, setComments] = useState('')
  const [notify, setNotify] = useState(false)
  const [andPay, setAndPay] = useState(false)
  const [tried, setTried] = useState(false)
  const [noItem, setNoItem] = useState(false)
  const amount = amountOf(typed)
  const type = types?.find((one) => one.id === typeId)
  const go = async () => {
    setTried(true)
    if (!ownerId || !type || !amount) return
    await act.run(async () => {
      const item = barcode.trim() ? await itemOf(barcode.trim()) : undefined
      setNoItem(Boolean(barcode.trim()) && !item)
      if (barcode.trim() && !item) return
      const id = await charge({
        userId: user.id,
        ownerId,
        owner: owners?.find((one) => one.id === ownerId)?.owner ?? '',
        typeId: type.id,
        type: type.feeFineType,
        amount,
        comments: comments.trim(),
        notify,
        servicePointId: desk?.id ?? '',
        source: self.user.username ?? self.user.id,
        item,
      })
      onDone(andPay ? await get<Account>(`/accounts/${id}`) : undefined)
    })
  }
  return (
    <ConfirmCard
      title={t('fees.new')}
      act={andPay ? t('fees.chargeAndPay') : t('fees.charge')}
      busy={act.busy}
      disabled={desk ? undefined : t('shell.chooseFirst')}
      onAct={() => void go()}
      onClose={onClose}
    >
      <NotDone failure={act.failure} />
      <Fields wide>
        <Select
          label={t('fees.owner')}
          value={ownerId}
          choices={(owners ?? []).map((one) => ({ value: one.id, text: one.owner }))}
          onChange={(id) => {
            setOwner(id)
            setTypeId(undefined)
          }}
          placeholder={t('fees.choose')}
          help={
            owners?.length === 0
              ? t('fees.noOwners')
              : tried && !ownerId
                ? t('fees.chooseOne')
                : undefined
          }
        />
        <Select
          label={t('fees.kind')}
          value={typeId}
          choices={(types ?? []).map((one) => ({ value: one.id, text: one.feeFineType }))}
          onChange={(id) => {
            setTypeId(id)
            const usual = types?.find((one) => one.id === id)?.defaultAmount
            if (usual) setTyped(usual.toFixed(2))
          }}
          placeholder={t('fees.choose')}
          help={
            types?.length === 0
              ? t('fees.noTypes')
              : tried && !type
                ? t('fees.chooseOne')
                : undefined
          }
        />
        <TextField
          label={t('fees.amount')}
          value={typed}
          onChange={setTyped}
          inputMode="decimal"
          error={tried && !amount ? t('fees.typeAmount') : undefined}
        />
        <TextField
          label={t('fees.itemBarcode')}
          mark="optional"
          value={barcode}
          onChange={setBarcode}
          error={noItem ? t('fees.noItem') : undefined}
        />
        <TextField
          label={t('fees.comment')}
          mark="optional"
          value={comments}
          onChange={setComments}
        />
      </Fields>
      <div className="row wrap wide">
        <Checkbox checked={notify} onChange={setNotify}>
          {t('fees.notify')}
        </Checkbox>
        <Checkbox checked={andPay} onChange={setAndPay}>
          {t('fees.andPay')}
        </Checkbox>
      </div>
    </ConfirmCard>
  )
}

async function itemOf(barcode: string) {
  const { items } = await get<{ items: (Item & { materialType?: { id?: string } })[] }>(
    '/inventory/items',
    { query: equals('barcode', barcode), limit: 1 },
  )
  const item = items[0]
  return (
    item && {
      id: item.id,
      title: item.title,
      barcode: item.barcode,
      materialTypeId: item.materialType?.id,
    }
  )
}
