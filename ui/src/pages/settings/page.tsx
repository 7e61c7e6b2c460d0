// Settings: kinds at the start side, then the list of one kind, or one record's form.
import { Link, useSearch } from '@tanstack/react-router'
import { queryClient } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { recordsQuery } from '#/settings/records'
import { cx } from '#/ui/cx'
import { Empty } from '#/ui/Empty'
import { Head, page } from '#/ui/Page'
import { KINDS, kindOf } from './kindOf'
import { RecordList } from './RecordList'
import { StoredForm } from './StoredForm'
import styles from './settings.module.css'

export const loader = async (of: string | undefined) => {
  const kind = kindOf(of)
  await Promise.all([
    loadTexts('settings', 'lists', 'forms', 'inventory', 'acquisitions', 'finance'),
    kind && queryClient.ensureQueryData(recordsQuery(kind)),
  ])
}

export function SettingsPage() {
  const t = useText()
  const { of, id } = useSearch({ from: '/shell/settings' })
  const kind = kindOf(of)
  const groups = [...new Set(KINDS.map(({ group }) => group))]
  return (
    <div className={cx(page.split, page.start, page.slim, styles.settings)}>
      <nav
        className={cx(page.side, styles.kinds, kind && styles.chosen)}
        aria-label={t('shell.settings')}
      >
        {groups.map((group) => (
          <section key={group} className="stack tight">
            <h2>{t(group)}</h2>
            {group === 'set.groupCirculation' ? (
              <Link to="/settings/rules">{t('rules.title')}</Link>
            ) : null}
            {KINDS.filter((one) => one.group === group).map((one) => (
              <Link
                key={one.id}
                to="/settings"
                search={{ of: one.id }}
                aria-current={one.id === of ? 'page' : undefined}
              >
                {t(one.title)}
              </Link>
            ))}
          </section>
        ))}
      </nav>
      <div className={page.col}>
        {kind?.single ? (
          <StoredForm key={kind.id} kind={kind} id={kind.id} />
        ) : kind && id ? (
          <StoredForm key={`${kind.id} ${id}`} kind={kind} id={id} />
        ) : kind ? (
          <RecordList key={kind.id} kind={kind} />
        ) : (
          <>
            <Head title={t('shell.settings')} />
            <Empty
              icon="sliders-horizontal"
              title={t('set.chooseKind')}
              text={t('set.chooseKindWhat')}
            />
          </>
        )}
      </div>
    </div>
  )
}
