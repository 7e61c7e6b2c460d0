// The titles that a title belongs to, contains, continues and is continued by: those of the catalogue as links.
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useNames } from '#/api/lists'
import { useText } from '#/i18n/text'
import { nameQuery } from '#/inventory/form/LookupChoice'
import { titleLookup } from '#/inventory/form/related'
import type { Instance } from '#/inventory/types'
import { Section } from '#/ui/Section'

interface Line {
  /** How it is related. */
  label: string
  id?: string
  title?: string
  /** FOLIO's kind of the relation. */
  kind?: string
}

export function Related({ instance }: { instance: Instance }) {
  const t = useText()
  const names = useNames('instanceRelationshipTypes')
  const kind = (id: string | undefined) => names('instanceRelationshipTypes', id)
  const lines: Line[] = [
    ...(instance.parentInstances ?? []).map((one) => ({
      label: t('inventory.partOf'),
      id: one.superInstanceId,
      kind: kind(one.instanceRelationshipTypeId),
    })),
    ...(instance.childInstances ?? []).map((one) => ({
      label: t('inventory.contains'),
      id: one.subInstanceId,
      kind: kind(one.instanceRelationshipTypeId),
    })),
    ...(instance.precedingTitles ?? []).map((one) => ({
      label: t('inventory.preceding'),
      id: one.precedingInstanceId,
      title: one.title,
    })),
    ...(instance.succeedingTitles ?? []).map((one) => ({
      label: t('inventory.succeeding'),
      id: one.succeedingInstanceId,
      title: one.title,
    })),
  ]
  const found = useQueries({
    queries: lines.map(({ id, title }) => ({
      ...nameQuery(titleLookup, id),
      enabled: Boolean(id) && !title,
    })),
  })
  if (!lines.length) return null
  return (
    <Section title={t('inventory.related')}>
      <ul>
        {lines.map(({ label, id, title, kind: named }, at) => {
          const text = <bdi>{title ?? found[at]?.data ?? id}</bdi>
          return (
            <li key={`${label} ${id ?? title}`}>
              <span className="muted">{[label, named].filter(Boolean).join(', ')}: </span>
              {id ? (
                <Link to="/inventory/$instanceId" params={{ instanceId: id }} search={{}}>
                  {text}
                </Link>
              ) : (
                text
              )}
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
