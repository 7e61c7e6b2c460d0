// Pieces that are here become one volume: one new item in their place.
import { FieldsCard } from '#/acquisitions/form/FieldsCard'
import { type BindItem, bind } from '#/acquisitions/receive'
import type { OrderLine, Piece } from '#/acquisitions/types'
import { placeKey, placeOf, usePlaces } from '#/acquisitions/usePlaces'
import { announce } from '#/app/live'
import { useText } from '#/i18n/text'
import type { Spec } from '#/inventory/form/specs'

interface Props {
  pieces: readonly Piece[]
  line: OrderLine
  onClose: () => void
}

type Bound = BindItem & { $place?: string; $requests?: string }
const REQUESTS = ['Transfer', 'Cancel', 'Do Nothing'] as const

export function BindPieces({ pieces, line, onClose }: Props) {
  const t = useText()
  const places = usePlaces(line, pieces)
  const fields: Spec[] = [
    { name: 'barcode', label: t('acq.barcode'), kind: 'text' },
    { name: 'callNumber', label: t('ord.callNumber'), kind: 'text' },
    {
      name: 'materialTypeId',
      label: t('acq.materialType'),
      kind: 'list',
      list: 'materialTypes',
      needed: true,
    },
    { name: 'permanentLoanTypeId', label: t('ord.loanType'), kind: 'list', list: 'loanTypes' },
    { name: '$place', label: t('acq.location'), kind: 'choice', choices: places, needed: true },
    {
      name: '$requests',
      label: t('ord.openRequests'),
      kind: 'choice',
      choices: REQUESTS.map((value) => ({ value, text: t(`ord.requests.${value}`) })),
    },
  ]
  return (
    <FieldsCard<Bound>
      title={t('ord.bindAsk', { count: pieces.length })}
      text={t('ord.bindWhat')}
      act={t('ord.bind')}
      record={{
        $place: pieces[0] && placeKey(pieces[0]),
        materialTypeId: line.physical?.materialType,
        $requests: 'Transfer',
      }}
      fields={fields}
      onAct={async ({ $place, $requests, ...item }) => {
        await bind(pieces, { ...item, ...placeOf($place) }, $requests)
        announce(t('ord.bound', { count: pieces.length }))
      }}
      onClose={onClose}
    />
  )
}
