// Holdings are moved to another title, or items to the holdings of another title: which, is looked up by words.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '#/api/client'
import { queryClient } from '#/api/query'
import { announce } from '#/app/live'
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { callNumberOf } from '#/inventory/callNumber'
import { findTitles } from '#/inventory/findTitles'
import { holdingsQuery } from '#/inventory/queries'
import { usePlace } from '#/inventory/usePlace'
import { useFormats } from '#/lib/format'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { Lookup, type Option } from '#/ui/Lookup'
import { Select } from '#/ui/Select'

interface Props {
  /** What is moved: holdings, or items. */
  kind: 'holdings' | 'items'
  ids: readonly string[]
  /** The title that they are moved away from. */
  from: string
  onDone: (movedTo?: string) => void
}
interface Answer {
  nonUpdatedIds?: string[]
  errors?: { message: string }[]
}

export function MoveElsewhere({ kind, ids, from, onDone }: Props) {
  const t = useText()
  const place = usePlace()
  const { number } = useFormats()
  const act = useAct()
  const [title, setTitle] = useState<Option>()
  const [holdings, setHoldings] = useState<string>()
  /** FOLIO moves what it can, and names what it could not. */
  const [left, setLeft] = useState<string>()
  const ofItems = kind === 'items'
  const { data } = useQuery({
    ...holdingsQuery(title?.id ?? ''),
    // As they are now: holdings may have been added there a moment ago.
    staleTime: 0,
    enabled: ofItems && Boolean(title),
  })
  const missing = !title
    ? t('inventory.chooseTitle')
    : ofItems && !holdings
      ? t(data && !data.length ? 'inventory.noHoldingsThere' : 'inventory.chooseHoldings')
      : undefined
  const go = async () => {
    setLeft(undefined)
    await act.run(async () => {
      const answer = await post<Answer | undefined>(
        `/inventory/${kind}/move`,
        ofItems
          ? { toHoldingsRecordId: holdings, itemIds: ids }
          : { toInstanceId: title?.id, holdingsRecordIds: ids },
      )
      if (answer?.nonUpdatedIds?.length)
        setLeft([...new Set((answer.errors ?? []).map(({ message }) => message))].join(' '))
      else {
        announce(t('inventory.moved', { count: number(ids.length) }))
        onDone(title?.id)
      }
      await queryClient.invalidateQueries()
    })
  }
  return (
    <ConfirmCard
      title={t(ofItems ? 'inventory.moveItemsElsewhere' : 'inventory.moveHoldingsElsewhere')}
      text={t(ofItems ? 'inventory.moveItemsWhat' : 'inventory.moveHoldingsWhat')}
      act={t('inventory.move')}
      busy={act.busy}
      disabled={missing}
      onAct={() => void go()}
      onClose={() => onDone()}
    >
      <NotDone failure={act.failure} />
      {left === undefined ? null : (
        <p className="blocked" role="alert">
          {t('inventory.notMoved')} <bdi>{left}</bdi>
        </p>
      )}
      <Lookup
        label={t('inventory.title')}
        list="titles-to-move"
        search={async (words, signal) =>
          (await findTitles(words, signal)).filter(({ id }) => id !== from)
        }
        value={title}
        onChange={(option) => {
          setTitle(option)
          setHoldings(undefined)
        }}
      />
      {ofItems && data?.length ? (
        <Select
          label={t('inventory.holdings')}
          placeholder={t('inventory.chooseHoldings')}
          value={holdings}
          onChange={(id) => setHoldings(String(id))}
          choices={data.map((one) => ({
            value: one.id,
            text: [place(one.effectiveLocationId ?? one.permanentLocationId), callNumberOf(one)]
              .filter(Boolean)
              .join(' · '),
          }))}
        />
      ) : null}
    </ConfirmCard>
  )
}
