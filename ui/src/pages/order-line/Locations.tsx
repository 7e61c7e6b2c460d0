// Where the copies of a line go.
import type { OrderLine, OrderLocation } from '#/acquisitions/types'
import { useHoldingPlaces } from '#/acquisitions/useHoldingPlaces'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Section } from '#/ui/Section'
import { type Column, rowsOf, Table } from '#/ui/Table'

export function Locations({ line }: { line: OrderLine }) {
  const t = useText()
  const { number } = useFormats()
  const locations = line.locations ?? []
  const placeOf = useHoldingPlaces(locations)
  if (!locations.length) return null
  const copies = (
    id: 'quantityPhysical' | 'quantityElectronic',
    title: string,
  ): Column<OrderLocation> => ({
    id,
    title,
    width: 8,
    kind: 'num',
    named: true,
    cell: (one) => (one[id] ? number(one[id]) : null),
  })
  const columns: Column<OrderLocation>[] = [
    {
      id: 'place',
      title: t('acq.location'),
      kind: 'main',
      cell: (one) => <bdi>{placeOf(one)}</bdi>,
    },
    copies('quantityPhysical', t('acq.physicalCopies')),
    copies('quantityElectronic', t('acq.electronicCopies')),
  ]
  return (
    <Section title={t('acq.locations')} count={number(locations.length)}>
      <Table
        label={t('acq.locations')}
        columns={columns}
        rows={rowsOf(locations)}
        keyOf={(one) => one.locationId ?? one.holdingId ?? ''}
        nameOf={(one) => placeOf(one) ?? ''}
      />
    </Section>
  )
}
