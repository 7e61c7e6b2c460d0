// The columns of a list of titles. What comes after the rows (held, free, hrid) is empty until it is here.
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type Names, useNames } from '#/api/lists'
import { useText } from '#/i18n/text'
import { kindIcon } from '#/inventory/kindIcon'
import type { Hit, WholeHit } from '#/inventory/types'
import { useFormats } from '#/lib/format'
import { Outcome } from '#/ui/Badge'
import { Code } from '#/ui/Code'
import { Icon } from '#/ui/Icon'
import type { Column } from '#/ui/Table'

/** Not shown at first. */
export const HIDDEN = ['publisher', 'hrid', 'source', 'updated'] as const

export function useHitColumns(whole: (id: string) => WholeHit | undefined): Column<Hit>[] {
  const t = useText()
  const formats = useFormats()
  const names = useNames('instanceTypes', 'modesOfIssuance', 'locations')
  return useMemo(
    () => [
      {
        id: 'title',
        title: t('inventory.title'),
        kind: 'main',
        sort: 'title',
        cell: (hit) => <Title hit={hit} whole={whole(hit.id)} names={names} />,
      },
      {
        id: 'contributors',
        title: t('inventory.contributors'),
        width: 11.5,
        soft: true,
        sort: 'contributors',
        cell: (hit) => <bdi>{hit.contributors?.map((one) => one.name).join('; ')}</bdi>,
      },
      {
        id: 'publisher',
        title: t('inventory.publisher'),
        width: 11,
        soft: true,
        cell: (hit) => <bdi>{hit.publication?.[0]?.publisher}</bdi>,
      },
      {
        id: 'year',
        title: t('inventory.year'),
        width: 5,
        kind: 'num',
        soft: true,
        sort: 'normalizedDate1',
        cell: (hit) => hit.publication?.[0]?.dateOfPublication?.replace(/^[c©\s[]+|[\].\s]+$/g, ''),
      },
      {
        id: 'hrid',
        title: t('inventory.hrid'),
        width: 8.5,
        listOnly: true,
        cell: (hit) => <Code plain>{whole(hit.id)?.hrid ?? ''}</Code>,
      },
      {
        id: 'source',
        title: t('inventory.source'),
        width: 6,
        listOnly: true,
        soft: true,
        cell: (hit) => whole(hit.id)?.source,
      },
      {
        id: 'updated',
        title: t('inventory.updated'),
        width: 8.5,
        listOnly: true,
        soft: true,
        sort: 'metadata.updatedDate',
        cell: (hit) => formats.day(whole(hit.id)?.metadata?.updatedDate ?? ''),
      },
      {
        id: 'held',
        title: t('inventory.held'),
        width: 13,
        soft: true,
        wide: true,
        cell: (hit) => <bdi>{heldAt(whole(hit.id), names).join(', ')}</bdi>,
      },
      {
        id: 'free',
        title: t('inventory.free'),
        width: 5.5,
        kind: 'num',
        named: true,
        cell: (hit) => <Free whole={whole(hit.id)} />,
      },
    ],
    [t, formats, names, whole],
  )
}

function Title({ hit, whole, names }: { hit: Hit; whole: WholeHit | undefined; names: Names }) {
  const t = useText()
  const type = names('instanceTypes', whole?.instanceTypeId)
  const mode = names('modesOfIssuance', whole?.modeOfIssuanceId)
  const hidden = hit.staffSuppress || hit.discoverySuppress
  return (
    <span className="row">
      <Icon name={kindIcon(type, mode)} />
      <Link
        className="title cut"
        to="/inventory/$instanceId"
        params={{ instanceId: hit.id }}
        search={{}}
        tabIndex={-1}
      >
        <bdi>{hit.title}</bdi>
      </Link>
      {hidden ? (
        <span className="xs muted nowrap">
          {t(hit.staffSuppress ? 'inventory.staffSuppressed' : 'inventory.suppressed')}
        </span>
      ) : null}
    </span>
  )
}

function Free({ whole }: { whole: WholeHit | undefined }) {
  const { number } = useFormats()
  if (!whole?.items?.length) return null
  const free = whole.items.filter((item) => item.status.name === 'Available').length
  if (!free) return <span className="muted">{number(0)}</span>
  return <Outcome kind="ok">{number(free)}</Outcome>
}

function heldAt(whole: WholeHit | undefined, names: Names): string[] {
  const places = [
    ...(whole?.items ?? []).map((item) => item.effectiveLocationId),
    ...(whole?.holdings ?? []).map((one) => one.effectiveLocationId ?? one.permanentLocationId),
  ]
  return [...new Set(places)].flatMap((id) => names('locations', id) ?? [])
}
