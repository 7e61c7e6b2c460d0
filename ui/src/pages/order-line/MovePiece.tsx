// A piece is moved to another line: the line before has one copy less, the other one more, and their prices and
// encumbrances follow.
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { lineLookup } from '#/acquisitions/form/lookups'
import { lineQuery, titlesQuery } from '#/acquisitions/orders'
import { formatsOf, formatUnder } from '#/acquisitions/pieceFormats'
import { Refused } from '#/acquisitions/Refused'
import { changePiece } from '#/acquisitions/receive'
import type { OrderLine, Piece } from '#/acquisitions/types'
import { placeKey, placeOf, usePlaces } from '#/acquisitions/usePlaces'
import { useChoices } from '#/acquisitions/words'
import { announce } from '#/app/live'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { LookupChoice } from '#/inventory/form/LookupChoice'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { Fields } from '#/ui/Fields'
import { Select } from '#/ui/Select'

export function MovePiece(props: { piece: Piece; line: OrderLine; onClose: () => void }) {
  const { piece, line, onClose } = props
  const t = useText()
  const choices = useChoices()
  const act = useAct()
  const lookup = useMemo(() => lineLookup(line.id), [line.id])
  const [lineId, setLine] = useState<string>()
  const { data: target } = useQuery({ ...lineQuery(lineId ?? ''), enabled: Boolean(lineId) })
  const { data: titles } = useQuery({ ...titlesQuery(lineId ?? ''), enabled: Boolean(lineId) })
  // What was chosen for one line says nothing about another.
  const [chosen, setChosen] = useState<{ title?: string; place?: string; format?: string }>({})
  const choose = (id: string | undefined) => {
    setLine(id)
    setChosen({})
  }
  const isSame = target?.instanceId === line.instanceId
  const places = usePlaces(target ?? {}, isSame ? [piece] : [])
  const first = isSame ? placeKey(piece) : placeKey(target?.locations?.[0] ?? {})
  const place = chosen.place ?? first
  const title = chosen.title ?? titles?.[0]?.id
  const formats = target ? formatsOf(target) : []
  const format = chosen.format ?? (target && formatUnder(target, piece.format))
  const ready = target && title && place && format
  const go = async () => {
    if (!ready) return
    const { locationId: _, holdingId: __, ...rest } = piece
    const next = { ...rest, poLineId: target.id, titleId: title, format, ...placeOf(place) }
    const done = await act.run(() => changePiece(piece, next, ''))
    if (!done) return
    announce(t('ord.movedPiece', { line: target.poLineNumber ?? target.titleOrPackage }))
    onClose()
  }
  return (
    <ConfirmCard
      title={t('ord.movePieceAsk')}
      text={t('ord.movePieceWhat')}
      act={t('ord.movePiece')}
      busy={act.busy}
      disabled={ready ? undefined : t('ord.chooseLine')}
      onAct={() => void go()}
      onClose={onClose}
    >
      <Refused failure={act.failure} />
      <Fields wide>
        <LookupChoice
          id="move.line"
          label={t('ord.otherLine')}
          mark="needed"
          of={lookup}
          value={lineId}
          onChange={choose}
        />
        {titles && titles.length > 1 ? (
          <Select
            label={t('acq.title')}
            value={title}
            choices={titles.map((one) => ({ value: one.id, text: one.title }))}
            onChange={(value) => setChosen({ ...chosen, title: value })}
          />
        ) : null}
        {formats.length > 1 ? (
          <Select
            label={t('acq.format')}
            value={format}
            choices={choices(formats)}
            onChange={(value) => setChosen({ ...chosen, format: value })}
          />
        ) : null}
        {target ? (
          <Select
            label={t('acq.location')}
            value={place}
            choices={places}
            onChange={(value) => setChosen({ ...chosen, place: value })}
          />
        ) : null}
      </Fields>
    </ConfirmCard>
  )
}
