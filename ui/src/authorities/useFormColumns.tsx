// The columns of forms of headings.
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useText } from '#/i18n/text'
import { Code } from '#/ui/Code'
import type { Column } from '#/ui/Table'
import table from '#/ui/Table.module.css'
import { TitleCount } from './TitleCount'
import type { Form } from './types'
import { useWords } from './words'

export function useFormColumns(): Column<Form>[] {
  const t = useText()
  const words = useWords()
  return useMemo(
    () => [
      {
        id: 'heading',
        title: t('authority.heading'),
        kind: 'main',
        sort: 'headingRef',
        cell: (one) => (
          <Link
            className={table.title}
            to="/authorities/$authorityId"
            params={{ authorityId: one.id }}
            tabIndex={-1}
          >
            <bdi>{one.headingRef}</bdi>
          </Link>
        ),
      },
      {
        id: 'ref',
        title: t('authority.facet.authRefType'),
        width: 9,
        soft: true,
        sort: 'authRefType',
        cell: (one) => words.ref(one.authRefType),
      },
      {
        id: 'kind',
        title: t('authority.facet.headingType'),
        width: 10,
        soft: true,
        sort: 'headingType',
        cell: (one) => words.kind(one.headingType),
      },
      {
        id: 'file',
        title: t('authority.facet.sourceFileId'),
        width: 10,
        soft: true,
        wide: true,
        cell: (one) => <bdi>{one.sourceFileId ? words.file(one.sourceFileId) : null}</bdi>,
      },
      {
        id: 'number',
        title: t('authority.number'),
        width: 9,
        listOnly: true,
        cell: (one) => (one.naturalId ? <Code plain>{one.naturalId}</Code> : null),
      },
      {
        id: 'titles',
        title: t('inventory.tab.titles'),
        width: 6,
        kind: 'num',
        named: true,
        cell: (one) => (
          <TitleCount id={one.id} heading={one.headingRef} count={one.numberOfTitles} />
        ),
      },
    ],
    [t, words],
  )
}
