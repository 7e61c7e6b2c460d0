// A piece is added by hand: what independent receiving lives from.
import { useState } from 'react'
import { formatsOf, formatUnder } from '#/acquisitions/pieceFormats'
import { changed } from '#/acquisitions/queries'
import { Refused } from '#/acquisitions/Refused'
import type { OrderLine, Title } from '#/acquisitions/types'
import { placeOf, usePlaces } from '#/acquisitions/usePlaces'
import { useChoices } from '#/acquisitions/words'
import { post } from '#/api/client'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { Checkbox } from '#/ui/Checkbox'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { Fields } from '#/ui/Fields'
import { Select } from '#/ui/Select'
import { TextField } from '#/ui/TextField'

interface Props {
  line: OrderLine
  titles: readonly Title[]
  onClose: () => void
}

export function AddPiece({ line, titles, onClose }: Props) {
  const t = useText()
  const choices = useChoices()
  const act = useAct()
  const places = usePlaces(line)
  const [titleId, setTitle] = useState(titles[0]?.id)
  const [format, setFormat] = useState(formatUnder(line, 'Physical'))
  const [place, setPlace] = useState(places[0]?.value)
  const [displaySummary, setSummary] = useState('')
  const part = format === 'Electronic' ? line.eresource : line.physical
  const mayItem = part?.createInventory === 'Instance, Holding, Item'
  const [withItem, setItem] = useState(mayItem)
  const go = async () => {
    const done = await act.run(() =>
      post(`/orders/pieces?createItem=${mayItem && withItem}`, {
        poLineId: line.id,
        titleId,
        format,
        receivingStatus: 'Expected',
        ...placeOf(place),
        ...(displaySummary.trim() ? { displaySummary: displaySummary.trim() } : {}),
      }),
    )
    if (!done) return
    await changed()
    onClose()
  }
  return (
    <ConfirmCard
      title={t('acq.addPiece')}
      text={line.checkinItems ? undefined : t('acq.addPieceWhat')}
      act={t('acq.add')}
      busy={act.busy}
      onAct={() => void go()}
      onClose={onClose}
    >
      <Refused failure={act.failure} />
      <Fields wide>
        <TextField
          label={t('acq.displaySummary')}
          mark="optional"
          value={displaySummary}
          onChange={setSummary}
        />
        {titles.length > 1 ? (
          <Select
            label={t('acq.title')}
            value={titleId}
            choices={titles.map((one) => ({ value: one.id, text: one.title }))}
            onChange={setTitle}
          />
        ) : null}
        <Select
          label={t('acq.format')}
          value={format}
          choices={choices(formatsOf(line))}
          onChange={setFormat}
        />
        <Select label={t('acq.location')} value={place} choices={places} onChange={setPlace} />
      </Fields>
      {mayItem ? (
        <Checkbox checked={withItem} onChange={setItem}>
          {t('acq.withItem')}
        </Checkbox>
      ) : null}
    </ConfirmCard>
  )
}
