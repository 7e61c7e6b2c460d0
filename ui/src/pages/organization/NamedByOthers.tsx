// Why a contact or an interface was not deleted: other organizations name it.
import { Link } from '@tanstack/react-router'
import type { Organization } from '#/acquisitions/types'
import { useText } from '#/i18n/text'
import { Note } from '#/ui/Note'

export function NamedByOthers({ others }: { others: readonly Organization[] }) {
  const t = useText()
  if (!others.length) return null
  return (
    <Note kind="blocked" alert>
      <p>
        <strong>{t('forms.notDone')}</strong> {t('fin.namedByOthers')}
      </p>
      <ul>
        {others.map(({ id, name }) => (
          <li key={id}>
            <Link to="/organizations/$id" params={{ id }}>
              <bdi>{name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </Note>
  )
}
