// A piece is changed: what stands on it, where it goes, under which title of a package, and what is said about it.
import { FieldsCard } from '#/acquisitions/form/FieldsCard'
import { formatsOf } from '#/acquisitions/pieceFormats'
import { changePiece } from '#/acquisitions/receive'
import type { OrderLine, Piece, Title } from '#/acquisitions/types'
import { placeKey, placeOf, usePlaces } from '#/acquisitions/usePlaces'
import { useChoices } from '#/acquisitions/words'
import { useText } from '#/i18n/text'
import type { Spec, Values } from '#/inventory/form/specs'

interface Props {
  piece: Piece
  line: OrderLine
  titles: readonly Title[]
  onClose: () => void
}

/** The piece and what the form asks beside it. */
type Edited = Piece & { $place?: string; $item?: boolean; $empty?: boolean }

export function EditPiece({ piece, line, titles, onClose }: Props) {
  const t = useText()
  const choices = useChoices()
  const places = usePlaces(line, [piece])
  const here = placeKey(piece)
  const formats = formatsOf(line)
  const mayItem = (format: unknown) => {
    const part = format === 'Electronic' ? line.eresource : line.physical
    return !piece.itemId && part?.createInventory === 'Instance, Holding, Item'
  }
  const fields = (values: Values): Spec[] => [
    { name: 'displaySummary', label: t('acq.displaySummary'), kind: 'text' },
    { name: 'enumeration', label: t('ord.enumeration'), kind: 'text' },
    { name: 'chronology', label: t('ord.chronology'), kind: 'text' },
    { name: 'copyNumber', label: t('ord.copyNumber'), kind: 'text' },
    { name: 'barcode', label: t('acq.barcode'), kind: 'text' },
    { name: 'callNumber', label: t('ord.callNumber'), kind: 'text' },
    { name: 'accessionNumber', label: t('ord.accessionNumber'), kind: 'text' },
    { name: 'receiptDate', label: t('ord.expectedOn'), kind: 'day' },
    ...(titles.length > 1
      ? [
          {
            name: 'titleId',
            label: t('acq.title'),
            kind: 'choice' as const,
            choices: titles.map((one) => ({ value: one.id, text: one.title })),
            needed: true,
          },
        ]
      : []),
    ...(formats.length > 1
      ? [
          {
            name: 'format',
            label: t('acq.format'),
            kind: 'choice' as const,
            choices: choices(formats),
            needed: true,
          },
        ]
      : []),
    { name: '$place', label: t('acq.location'), kind: 'choice', choices: places },
    { name: 'comment', label: t('acq.note'), kind: 'text' },
    { name: 'internalNote', label: t('ord.internalNote'), kind: 'text' },
    { name: 'externalNote', label: t('ord.externalNote'), kind: 'text' },
    { name: 'supplement', label: t('ord.supplement'), kind: 'flag' },
    { name: 'displayOnHolding', label: t('ord.displayOnHolding'), kind: 'flag' },
    { name: 'displayToPublic', label: t('ord.displayToPublic'), kind: 'flag' },
    ...(mayItem(values.format)
      ? [{ name: '$item', label: t('acq.withItem'), kind: 'flag' as const }]
      : []),
    ...(piece.holdingId && values.$place !== here
      ? [{ name: '$empty', label: t('ord.deleteEmpty'), kind: 'flag' as const }]
      : []),
  ]
  const save = ({ $place, $item, $empty, ...next }: Edited) => {
    const { locationId: _, holdingId: __, ...rest } = next
    const query = `?createItem=${Boolean($item)}&deleteHolding=${Boolean($empty)}`
    return changePiece(piece, { ...rest, ...placeOf($place) }, query)
  }
  return (
    <FieldsCard<Edited>
      title={t('ord.editPiece')}
      act={t('forms.save')}
      record={{ ...piece, $place: here }}
      fields={fields}
      onAct={save}
      onClose={onClose}
    />
  )
}
