// The columns of changes of authorities, in the list and in the file.
import { Link } from '@tanstack/react-router'
import type { Change, ChangesOf } from '#/authorities/changes'
import { useWords } from '#/authorities/words'
import { useText } from '#/i18n/text'
import type { Cell } from '#/lib/csv'
import { useFormats } from '#/lib/format'
import { fullName } from '#/lib/names'
import { Code } from '#/ui/Code'
import type { Column } from '#/ui/Table'
import table from '#/ui/Table.module.css'

export interface ChangeColumn extends Column<Change> {
  text: (one: Change) => Cell
}

export function useChangeColumns(of: ChangesOf): readonly ChangeColumn[] {
  const t = useText()
  const { dayTime } = useFormats()
  const words = useWords()
  const column = (
    id: string,
    title: string,
    text: (one: Change) => string | undefined,
    rest: Partial<ChangeColumn> = {},
  ): ChangeColumn => ({ id, title, text, cell: (one) => <bdi>{text(one)}</bdi>, ...rest })

  const heading = (text: (one: Change) => string | undefined): Partial<ChangeColumn> => ({
    kind: 'main',
    cell: (one) =>
      // What is deleted leads nowhere.
      of !== 'deleted' && one.authorityId ? (
        <Link
          className={table.title}
          to="/authorities/$authorityId"
          params={{ authorityId: one.authorityId }}
        >
          <bdi>{text(one) ?? one.authorityId}</bdi>
        </Link>
      ) : (
        <bdi className="medium">{text(one)}</bdi>
      ),
  })
  const now = (one: Change) => one.headingNew ?? one.headingOld
  const code = (text: (one: Change) => string | undefined): Partial<ChangeColumn> => ({
    width: 10,
    cell: (one) => {
      const value = text(one)
      return value ? <Code plain>{value}</Code> : null
    },
  })
  const when = column('when', t('authority.changes.when'), (one) => one.startedAt, {
    width: 11,
    cell: (one) => (one.startedAt ? dayTime(one.startedAt) : ''),
  })
  const who = column('by', t('authority.changes.by'), (one) => one.by && fullName(one.by), {
    width: 11,
    wide: true,
  })
  const file = column(
    'file',
    t('authority.facet.sourceFileId'),
    (one) => (one.sourceFileNew ? words.file(one.sourceFileNew) : undefined),
    { width: 11, wide: true, soft: true },
  )
  const number = column(
    'number',
    t('authority.number'),
    (one) => one.naturalIdNew,
    code((one) => one.naturalIdNew),
  )
  switch (of) {
    case 'headings':
      return [
        column('new', t('authority.changes.new'), now, heading(now)),
        column('old', t('authority.changes.old'), (one) => one.headingOld, { width: 17 }),
        number,
        file,
        when,
        who,
      ]
    case 'numbers':
      return [
        column('heading', t('authority.heading'), now, heading(now)),
        column(
          'newNumber',
          t('authority.changes.newNumber'),
          (one) => one.naturalIdNew,
          code((one) => one.naturalIdNew),
        ),
        column(
          'oldNumber',
          t('authority.changes.oldNumber'),
          (one) => one.naturalIdOld,
          code((one) => one.naturalIdOld),
        ),
        file,
        when,
        who,
      ]
    case 'deleted':
      return [
        column(
          'heading',
          t('authority.heading'),
          (one) => one.headingOld ?? one.headingNew,
          heading((one) => one.headingOld ?? one.headingNew),
        ),
        column(
          'number',
          t('authority.number'),
          (one) => one.naturalIdOld,
          code((one) => one.naturalIdOld),
        ),
        when,
        who,
      ]
    case 'failed':
      return [
        column('title', t('authority.changes.title'), (one) => one.title, {
          kind: 'main',
          cell: ({ instanceId, title }) => (
            <Link
              className={table.title}
              to="/inventory/$instanceId"
              params={{ instanceId: instanceId ?? '' }}
              search={{}}
            >
              <bdi>{title}</bdi>
            </Link>
          ),
        }),
        column('field', t('authority.changes.marcField'), (one) => one.tag, { width: 7 }),
        number,
        column('why', t('authority.changes.why'), (one) => one.why, { width: 20 }),
        when,
      ]
  }
}
