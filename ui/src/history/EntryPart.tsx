// One version: when, who, and what it changed.
import type { User } from '#/api/types'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { PersonLink } from '#/patrons/PersonLink'
import type { Change } from './changes'
import styles from './history.module.css'
import type { HistoryKind } from './kinds'
import { labelOf } from './labels'
import type { Entry } from './queries'
import type { Show } from './useShow'

interface Props {
  kind: HistoryKind
  entry: Entry
  editor: User | undefined
  show: Show
}

export function EntryPart({ kind, entry, editor, show }: Props) {
  const t = useText()
  const { dayTime } = useFormats()
  const { action, userId, changes } = entry
  const name = editor ? (editor.personal ?? { lastName: editor.username ?? '' }) : undefined
  return (
    <li className="stack tight">
      <h3>{dayTime(entry.at)}</h3>
      <p className="sm soft">
        {t(`history.${action}`)} ·{' '}
        <PersonLink id={userId} person={name} fallback={userId ? undefined : t('history.nobody')} />
        {userId && !name ? <span className="code">{userId.slice(0, 8)}</span> : null}
      </p>
      {changes?.length ? <Changes kind={kind} changes={changes} show={show} /> : null}
      {action === 'changed' && changes?.length === 0 ? (
        <p className="sm muted">{t('history.nothing')}</p>
      ) : null}
    </li>
  )
}

interface ChangesProps {
  kind: HistoryKind
  changes: readonly Change[]
  show: Show
}

function Changes({ kind, changes, show }: ChangesProps) {
  const t = useText()
  return (
    <table className={styles.changes}>
      <thead>
        <tr>
          <th scope="col">{t('history.field')}</th>
          <th scope="col">{t('history.before')}</th>
          <th scope="col">{t('history.after')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ path, before, after }) => {
          const label = labelOf(kind, path)
          const property = path.split('.').at(-1) ?? path
          return (
            <tr key={path}>
              <th scope="row">{label ? t(label) : <bdi className="code">{path}</bdi>}</th>
              <Values values={before} property={property} show={show} />
              <Values values={after} property={property} show={show} />
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

interface ValuesProps {
  values: readonly unknown[]
  property: string
  show: Show
}

const Values = ({ values, property, show }: ValuesProps) => (
  <td>
    {values.map((value, at) => (
      <p key={`${at} ${JSON.stringify(value)}`} dir="auto">
        {show(value, property)}
      </p>
    ))}
  </td>
)
